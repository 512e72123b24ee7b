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

test('a recovery code lasts', () => {
  saveRecoveryCode('abc', 1, 'r4sba32exm6e');
  saveRecoveryCode('abc', 2, 'another');
  expect(loadRecoveryCodes('abc')).toEqual([
    [1, 'r4sba32exm6e'],
    [2, 'another'],
  ]);
  expect(loadRecoveryCodes('other')).toEqual([]);
});

test('a game that was played once is no longer new', () => {
  expect(hasPlayed('unikat')).toBe(false);
  noteGamePlayed('unikat');
  expect([hasPlayed('unikat'), hasPlayed('ubongo')]).toEqual([true, false]);
});

test('a browser that has had a seat may have tables, until it knows better', () => {
  expect(mayHaveTables()).toBe(false);
  saveRecoveryCode('abc', 1, 'r4sba32exm6e');
  expect(mayHaveTables()).toBe(true);
  setMayHaveTables(false);
  expect(mayHaveTables()).toBe(false);
});

test('codes that are void are forgotten, and no others', () => {
  saveRecoveryCode('abc', 1, 'old');
  saveRecoveryCode('abc', 2, 'another');
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'ours' });
  forgetRecoveryCodes('abc', ['old']);
  expect(loadRecoveryCodes('abc')).toEqual([[2, 'another']]);
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: [] })).toBe(false);
});

test('a match is as promised if it began with what was seen and sent before', () => {
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'ours' });
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: ['ours', 'theirs'] })).toBe(
    true,
  );
  expect(matchesSentShares('abc', 1, { commitment: 'other', shares: ['ours', 'theirs'] })).toBe(
    false,
  );
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: ['theirs'] })).toBe(false);
});

test('who has seen nothing before can only believe', () => {
  expect(matchesSentShares('abc', 1, { commitment: 'seal', shares: [] })).toBe(true);
});

test('codes are written in groups', () => {
  expect(formatCode('63hbdz')).toBe('63h bdz');
});

test('the strength of the bots lasts, unless there is no such strength', () => {
  expect(loadBotLevel()).toBe('easy');
  saveBotLevel('first-steps');
  expect(loadBotLevel()).toBe('first-steps');
  localStorage.setItem('pytlik.level', '"unbeatable"');
  expect(loadBotLevel()).toBe('easy');
});

test('a device that several share has sent a share for each of them', () => {
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'first' });
  saveSeedShare('abc', { match: 1, commitment: 'seal', seat: 1, share: 'second' });
  const opened = (...shares: string[]) => ({ commitment: 'seal', shares });
  expect(matchesSentShares('abc', 1, opened('first', 'second'))).toBe(true);
  expect(matchesSentShares('abc', 1, opened('first'))).toBe(false);
  expect(matchesSentShares('abc', 1, opened('second'))).toBe(false);
});
