// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { addDays } from './days';
import { markSolved, loadSolvedDays, streakOf } from './solved-days';

const TODAY = '2026-11-17';
const daysAgo = (...days: number[]) => new Set(days.map((n) => addDays(TODAY, -n)));

beforeEach(() => localStorage.clear());

test('each game has its own days, each once', () => {
  markSolved('unikat', TODAY);
  markSolved('unikat', '2026-11-15');
  markSolved('unikat', TODAY);
  expect([...loadSolvedDays('unikat')]).toEqual(['2026-11-15', TODAY]);
  expect(loadSolvedDays('ubongo').size).toBe(0);
});

test('the oldest days are forgotten', () => {
  for (let n = 0; n < 410; n++) markSolved('ubongo', addDays('2026-01-01', n));
  const kept = loadSolvedDays('ubongo');
  expect(kept.size).toBe(400);
  expect(kept.has('2026-01-10')).toBe(false);
  expect(kept.has(addDays('2026-01-01', 409))).toBe(true);
});

test('a streak goes up to today, or yesterday while today can still be solved', () => {
  expect(streakOf(daysAgo(), TODAY)).toBe(0);
  expect(streakOf(daysAgo(0), TODAY)).toBe(1);
  expect(streakOf(daysAgo(0, 1, 2), TODAY)).toBe(3);
  expect(streakOf(daysAgo(1, 2), TODAY)).toBe(2);
});

test('a day without a solution ends a streak', () => {
  expect(streakOf(daysAgo(2, 3, 4), TODAY)).toBe(0);
  expect(streakOf(daysAgo(0, 2, 3), TODAY)).toBe(1);
});
