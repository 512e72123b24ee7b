// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { Placement } from '../../../lib/wire';
import { loadDraft, saveDraft } from './saved-draft';
import type { PlayableUnikatMatch } from './table-props';

const client = (match: string | undefined, seat: number | null = 0): PlayableUnikatMatch =>
  ({ match, seat }) as PlayableUnikatMatch;
const CHAIN: Placement[] = [['0001', 1, 0]];

beforeEach(() => localStorage.clear());

test('a draft survives a reload', () => {
  saveDraft(client('abc.1'), CHAIN);
  expect(loadDraft(client('abc.1'))).toEqual(CHAIN);
});

test('a draft belongs to its match and its seat', () => {
  saveDraft(client('abc.1'), CHAIN);
  expect(loadDraft(client('abc.2'))).toEqual([]);
  expect(loadDraft(client('abc.1', 1))).toEqual([]);
});

test('a lesson neither saves nor loads a draft', () => {
  saveDraft(client('abc.1'), CHAIN);
  saveDraft(client(undefined), []);
  expect(loadDraft(client('abc.1'))).toEqual(CHAIN);
  expect(loadDraft(client(undefined))).toEqual([]);
});
