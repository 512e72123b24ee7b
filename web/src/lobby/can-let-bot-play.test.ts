import { expect, test } from 'vitest';
import type { ChairInfo } from '../lib/wire';
import { canLetBotPlay } from './can-let-bot-play';

const person = { kind: 'person', here: true, stand_in: false } as ChairInfo;
const away = { ...person, here: false };
const replaced = { ...person, stand_in: true };
const bot = { ...person, kind: 'bot' } as ChairInfo;

test('two players who are here can let a bot play for the third', () => {
  expect(canLetBotPlay({ chairs: [person, away, person] })).toBe(true);
});

test('a single player has to wait for the agreed time', () => {
  expect(canLetBotPlay({ chairs: [person, away] })).toBe(false);
  expect(canLetBotPlay({ chairs: [person, away, bot] })).toBe(false);
  expect(canLetBotPlay({ chairs: [person, away, replaced] })).toBe(false);
});
