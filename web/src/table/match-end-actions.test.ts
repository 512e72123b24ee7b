// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { ChairInfo } from '../lib/wire';
import { votersMissing } from './MatchEndActions.svelte';

const chair = (kind: ChairInfo['kind'], here = true) => ({ kind, here }) as ChairInfo;

test('a rematch waits for people who are here and have not agreed', () => {
  const chairs = [chair('person'), chair('bot'), chair('person'), chair('person', false)];
  expect(votersMissing({ chairs, again: [] })).toEqual([0, 2]);
  expect(votersMissing({ chairs, again: [2] })).toEqual([0]);
  expect(votersMissing({ chairs, again: [0, 2] })).toEqual([]);
});
