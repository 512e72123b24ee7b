// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../../lib/i18n.svelte';
import type { UnikatView } from '../../lib/wire';
import { standings } from './standings';

beforeAll(() => translations.load('en'));

const view = (rounds: number, more: object) =>
  ({
    players: 3,
    options: { rounds },
    winners: [],
    outcome: null,
    hands: [],
    sheet: [],
    ...more,
  }) as unknown as UnikatView;

test('after one round the fewest tiles rank first, and the winner leads a tie', () => {
  const counts = [4, 2, 2];
  expect(standings(view(1, { counts, outcome: { winners: [2], points: counts } }))).toEqual([
    { seat: 2, score: '2 tiles left' },
    { seat: 1, score: '2 tiles left' },
    { seat: 0, score: '4 tiles left' },
  ]);
});

test('after several rounds all minus points count', () => {
  const sheet = [
    { points: [0, 3, 7], winners: [0] },
    { points: [12, 0, 1], winners: [1] },
  ];
  const counts = [12, 0, 1];
  const outcome = { winners: [1], points: [12, 3, 8] };
  expect(standings(view(2, { sheet, counts, outcome }))).toEqual([
    { seat: 1, score: '−3' },
    { seat: 2, score: '−8' },
    { seat: 0, score: '−12' },
  ]);
});
