// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { Placement } from '../../../lib/wire';
import { loadDraft, saveDraft } from './saved-draft';
import type { UnikatPlay } from './table-props';

const play = (match: string | undefined, seat: number | null = 0): UnikatPlay =>
  ({ match, seat }) as UnikatPlay;
const CHAIN: Placement[] = [['0001', 1, 0]];

beforeEach(() => localStorage.clear());

test('what was put down is there again after a reload', () => {
  saveDraft(play('abc.1'), CHAIN);
  expect(loadDraft(play('abc.1'))).toEqual(CHAIN);
});

test('it belongs to its match, and to its seat', () => {
  saveDraft(play('abc.1'), CHAIN);
  expect(loadDraft(play('abc.2'))).toEqual([]);
  expect(loadDraft(play('abc.1', 1))).toEqual([]);
});

test('a lesson neither keeps nor finds anything', () => {
  saveDraft(play('abc.1'), CHAIN);
  saveDraft(play(undefined), []);
  expect(loadDraft(play('abc.1'))).toEqual(CHAIN);
  expect(loadDraft(play(undefined))).toEqual([]);
});
