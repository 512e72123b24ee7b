import { expect, test } from 'vitest';
import {
  addRound,
  enterTilesLeft,
  entryFlaw,
  isOver,
  leaders,
  newMatch,
  openEntry,
  sheetRows,
  currentStarter,
  totalMinusPoints,
  saveRound,
  type MatchSetup,
  type NextStarter,
  type ScoredMatch,
} from './score-sheet';
import vectors from './score-sheet.vectors.json';

const NAMES = ['Ola', 'Max', 'Hana'];
const match = (nextStarter: NextStarter = 'same') =>
  newMatch(NAMES, { rounds: 3, starter: 1, nextStarter });
const withEntry = (from: ScoredMatch, ...left: number[]) =>
  left.reduce((now, n, seat) => enterTilesLeft(now, seat, n), openEntry(from));
const withRounds = (from: ScoredMatch, ...rows: number[][]) =>
  rows.reduce((now, row) => saveRound(withEntry(now, ...row)), from);

test('a minus point for every tile left, added up over the rounds', () => {
  const after = withRounds(match(), [0, 4, 7], [3, 0, 1]);
  expect(totalMinusPoints(after)).toEqual([3, 4, 8]);
  expect(sheetRows(after)).toEqual([
    { points: [0, 4, 7], winners: [0] },
    { points: [3, 0, 1], winners: [1] },
  ]);
  expect(leaders(after)).toEqual([0]);
  expect(isOver(after)).toBe(false);
  expect(leaders(match())).toEqual([]);
});

test('the fewest tiles win a blocked round, possibly shared', () => {
  expect(sheetRows(withRounds(match(), [2, 5, 2]))[0]!.winners).toEqual([0, 2]);
});

test('players tied for the fewest minus points share the victory', () => {
  const after = withRounds(match(), [0, 3, 3], [3, 0, 9], [2, 2, 0]);
  expect(isOver(after)).toBe(true);
  expect(leaders(after)).toEqual([0, 1]);
  expect(isOver(addRound(after))).toBe(false);
});

test('an incomplete or impossible entry is not saved', () => {
  const half = enterTilesLeft(openEntry(match()), 0, 0);
  expect(entryFlaw(half)).toBe('missing');
  expect(saveRound(half)).toBe(half);
  const two = withEntry(match(), 0, 0, 4);
  expect(entryFlaw(two)).toBe('twoOut');
  expect(saveRound(two).rows).toEqual([]);
  expect(entryFlaw(withEntry(match(), 0, 1, 4))).toBeNull();
});

test('the starter is drawn or chosen', () => {
  const drawn = (at: number) =>
    newMatch(NAMES, { rounds: 1, starter: null, nextStarter: 'same' }, () => at).starter;
  expect([0, 0.5, 0.99].map(drawn)).toEqual([0, 1, 2]);
  expect(match().starter).toBe(1);
});

test.each<[NextStarter, number]>([
  ['same', 1],
  ['rotate', 0],
  ['winner', 2],
])('who begins the third round: %s', (next, seat) => {
  expect(currentStarter(withRounds(match(next), [0, 4, 7], [5, 1, 0]))).toBe(seat);
});

test('the winner begins; of several, the next one after the last starter', () => {
  expect(currentStarter(withRounds(match('winner'), [2, 2, 5]))).toBe(0);
  expect(currentStarter(withRounds(match('winner'), [9, 2, 5]))).toBe(1);
});

test.each(vectors)('scores match the rules: %#', (vector) => {
  const { players, rows, starters, nextStarter } = vector;
  const names = Array.from({ length: players }, (_, seat) => `player ${seat}`);
  const setup = { rounds: rows.length, starter: starters[0]!, nextStarter } as MatchSetup;
  let now = newMatch(names, setup);
  rows.forEach((row, at) => {
    expect(isOver(now)).toBe(false);
    expect(currentStarter(now)).toBe(starters[at]);
    now = withRounds(now, row);
  });
  expect(isOver(now)).toBe(true);
  expect(currentStarter(now)).toBe(starters.at(-1));
  expect(sheetRows(now)).toEqual(vector.sheet);
  expect(totalMinusPoints(now)).toEqual(vector.totals);
  expect(leaders(now)).toEqual(vector.leaders);
});
