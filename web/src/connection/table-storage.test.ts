import { beforeEach, expect, test } from 'vitest';
import {
  asPromised,
  keepCode,
  keepLevel,
  keepShare,
  keptCodes,
  keptLevel,
  spaced,
} from './table-storage';

beforeEach(() => localStorage.clear());

test('a recovery code lasts', () => {
  keepCode('abc', 1, 'r4sba32exm6e');
  keepCode('abc', 2, 'another');
  expect(keptCodes('abc')).toEqual([
    [1, 'r4sba32exm6e'],
    [2, 'another'],
  ]);
  expect(keptCodes('other')).toEqual([]);
});

test('a match is as promised if it began with what was seen and sent before', () => {
  keepShare('abc', { match: 1, commitment: 'seal', seat: 0, share: 'ours' });
  expect(asPromised('abc', 1, { commitment: 'seal', shares: ['ours', 'theirs'] })).toBe(true);
  expect(asPromised('abc', 1, { commitment: 'other', shares: ['ours', 'theirs'] })).toBe(false);
  expect(asPromised('abc', 1, { commitment: 'seal', shares: ['theirs'] })).toBe(false);
});

test('who has seen nothing before can only believe', () => {
  expect(asPromised('abc', 1, { commitment: 'seal', shares: [] })).toBe(true);
});

test('codes are written in groups', () => {
  expect(spaced('63hbdz')).toBe('63h bdz');
});

test('the strength of the bots lasts, unless there is no such strength', () => {
  expect(keptLevel()).toBe('easy');
  keepLevel('first-steps');
  expect(keptLevel()).toBe('first-steps');
  localStorage.setItem('pytlik.level', '"unbeatable"');
  expect(keptLevel()).toBe('easy');
});
