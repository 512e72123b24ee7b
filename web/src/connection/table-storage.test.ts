// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import {
  forgetRecoveryCodes,
  matchesSentShares,
  saveRecoveryCode,
  saveBotLevel,
  saveSeedShare,
  loadRecoveryCodes,
  loadBotLevel,
  formatCode,
  hasPlayed,
  mayHaveTables,
  noteGamePlayed,
  setMayHaveTables,
} from './table-storage';

beforeEach(() => localStorage.clear());

test('recovery codes are stored by table and seat', () => {
  saveRecoveryCode('abc', 1, 'r4sba32exm6e');
  saveRecoveryCode('abc', 2, 'another');
  expect(loadRecoveryCodes('abc')).toEqual([
    [1, 'r4sba32exm6e'],
    [2, 'another'],
  ]);
  expect(loadRecoveryCodes('other')).toEqual([]);
});

test('a game counts as played after the first time', () => {
  expect(hasPlayed('unikat')).toBe(false);
  noteGamePlayed('unikat');
  expect([hasPlayed('unikat'), hasPlayed('ubongo')]).toEqual([true, false]);
});

test('a browser that has had a seat may have tables, until cleared', () => {
  expect(mayHaveTables()).toBe(false);
  saveRecoveryCode('abc', 1, 'r4sba32exm6e');
  expect(mayHaveTables()).toBe(true);
  setMayHaveTables(false);
  expect(mayHaveTables()).toBe(false);
});

test('only the given recovery codes are forgotten', () => {
  saveRecoveryCode('abc', 1, 'old');
  saveRecoveryCode('abc', 2, 'another');
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'ours' });
  forgetRecoveryCodes('abc', ['old']);
  expect(loadRecoveryCodes('abc')).toEqual([[2, 'another']]);
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: [] })).toBe(false);
});

test('a match must have the commitment that was seen and the share that was sent', () => {
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'ours' });
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: ['ours', 'theirs'] })).toBe(
    true,
  );
  expect(matchesSentShares('abc', 1, { commitment: 'other', shares: ['ours', 'theirs'] })).toBe(
    false,
  );
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: ['theirs'] })).toBe(false);
});

test('without a stored share, any match is accepted', () => {
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: [] })).toBe(true);
});

test('codes are formatted in groups of three', () => {
  expect(formatCode('63hbdz')).toBe('63h bdz');
});

test('the bot level is stored, but an unknown level is ignored', () => {
  expect(loadBotLevel()).toBe('easy');
  saveBotLevel('first-steps');
  expect(loadBotLevel()).toBe('first-steps');
  localStorage.setItem('pytlik.level', '"unbeatable"');
  expect(loadBotLevel()).toBe('easy');
});
