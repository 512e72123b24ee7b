// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import { formatPercent, shareOfPlayersBeaten, type DailyAnswer } from './results';

/** A board with these places; yours is marked by a minus sign. */
function board(places: readonly (number | null)[], ranked = places.length): DailyAnswer {
  const results = places.map((place) => ({
    place: place === null ? null : Math.abs(place),
    name: 'Ola',
    ms: 10_000,
    yours: place === null || place < 0,
  }));
  return { day: '2026-11-17', started: 0, results, ranked };
}

test('the share of the other players who were beaten', () => {
  expect(shareOfPlayersBeaten(board([-1, 2, 3, 4, 5]))).toBe(1);
  expect(shareOfPlayersBeaten(board([1, -2, 3, 4, 5]))).toBe(0.75);
  expect(shareOfPlayersBeaten(board([1, 2, -3], 101))).toBe(0.98);
});

test('a tied player is not beaten', () => {
  expect(shareOfPlayersBeaten(board([-1, 1, 3, 4, 5]))).toBe(0.75);
});

test('there is no share for last place, for few players or without a place', () => {
  expect(shareOfPlayersBeaten(board([1, 2, 3, 4, -5]))).toBeNull();
  expect(shareOfPlayersBeaten(board([-1, 2]))).toBeNull();
  expect(shareOfPlayersBeaten(board([1, 2, 3, 4, 5]))).toBeNull();
  expect(shareOfPlayersBeaten(board([null], 20))).toBeNull();
});

test.each([
  ['en', '99%'],
  ['de', '99\u00a0%'],
  ['uk', '99\u00a0%'],
])('percentages in %s are never rounded up', async (language, shown) => {
  await translations.load(language);
  expect(formatPercent(0.999)).toBe(shown);
});
