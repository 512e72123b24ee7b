import { expect, test } from 'vitest';
import type { Level } from '../lib/wire';
import {
  bestDailyPlace,
  longestChain,
  countPlayedAndWon,
  countByLevel,
  winsInARow,
} from './statistics';
import type { DailyPlace, PlayedMatch } from './stored-record';

/** "easy+" is a win against an easy bot, "people-" a loss against people. */
const matches = (...played: string[]): PlayedMatch[] =>
  played.map((text, n) => {
    const who = text.slice(0, -1);
    const level = who === 'people' ? null : (who as Level);
    return { id: `a.${n}`, game: 'unikat', at: n, level, won: text.endsWith('+') };
  });

const PLAYED = matches('people+', 'hard-', 'easy+', 'hard+', 'easy+');

test('games and wins are counted, all together and by level, the weakest first', () => {
  expect(countPlayedAndWon(PLAYED)).toEqual({ played: 5, won: 4 });
  expect(countByLevel(PLAYED)).toEqual([
    { level: 'easy', played: 2, won: 2 },
    { level: 'hard', played: 2, won: 1 },
    { level: null, played: 1, won: 1 },
  ]);
});

test('wins in a row end with the last loss', () => {
  expect(winsInARow(PLAYED)).toBe(3);
  expect(winsInARow(matches('easy+', 'easy+'))).toBe(2);
  expect(winsInARow(matches('easy+', 'easy-'))).toBe(0);
  expect(winsInARow([])).toBe(0);
});

test('the longest chain of all matches counts', () => {
  const [first, second, ...others] = PLAYED;
  expect(longestChain([{ ...first!, chain: 3 }, { ...second!, chain: 6 }, ...others])).toBe(6);
  expect(longestChain(PLAYED)).toBe(0);
});

test('the best daily place beat the largest share of all ranked', () => {
  const place = (place: number, ranked: number): DailyPlace => ({
    game: 'ubongo',
    day: '2026-11-17',
    kind: '3',
    place,
    ranked,
  });
  expect(bestDailyPlace([place(1, 1)])).toBe(null);
  expect(bestDailyPlace([place(1, 1), place(1, 3), place(2, 20), place(9, 12)])).toEqual(
    place(2, 20),
  );
  expect(bestDailyPlace([place(2, 4), place(4, 8)])).toEqual(place(4, 8));
});
