import { expect, test } from 'vitest';
import type { ChairInfo } from '../lib/wire';
import { canLetBotPlay, votersMissing } from './votes';

const chair = (kind: ChairInfo['kind'], here = true) => ({ kind, here }) as ChairInfo;

test('a rematch waits for people who are here and have not agreed', () => {
  const chairs = [chair('person'), chair('bot'), chair('person'), chair('person', false)];
  expect(votersMissing({ chairs, again: [] })).toEqual([0, 2]);
  expect(votersMissing({ chairs, again: [2] })).toEqual([0]);
  expect(votersMissing({ chairs, again: [0, 2] })).toEqual([]);
});

const person = { kind: 'person', here: true, stand_in: false } as ChairInfo;
const away = { ...person, here: false };
const replaced = { ...person, stand_in: true };
const bot = { ...person, kind: 'bot' } as ChairInfo;

test('two players who are here can let a bot play for the third', () => {
  expect(canLetBotPlay({ chairs: [person, away, person] })).toBe(true);
});

test('one player alone waits for as long as was agreed on', () => {
  expect(canLetBotPlay({ chairs: [person, away] })).toBe(false);
  expect(canLetBotPlay({ chairs: [person, away, bot] })).toBe(false);
  expect(canLetBotPlay({ chairs: [person, away, replaced] })).toBe(false);
});
