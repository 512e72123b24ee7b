import { describe, expect, it } from 'vitest';
import type { Deal } from '../../../lib/wire';
import { loadDeck, DIFFICULTIES, pickPuzzle, puzzleId, listPuzzles } from './puzzles';

const SIDES = [3, 4, 5] as const;
const all = await Promise.all(
  SIDES.map(async (side) => {
    const deck = await loadDeck(side);
    return DIFFICULTIES.flatMap((level) => listPuzzles(deck, side, level));
  }),
);

describe('puzzles for practice', () => {
  it('are all puzzles of the decks, each in one difficulty', () => {
    for (const deals of all) expect(new Set(deals.map(puzzleId)).size).toBe(54 * 4);
  });

  it('are repeated only when none is new', () => {
    const [one, two, three] = all[0] as [Deal, Deal, Deal];
    expect(pickPuzzle([one, two], [puzzleId(one)], 0.99)).toBe(two);
    expect(pickPuzzle([one, two, three], [one, two, three].map(puzzleId), 0)).toBe(one);
  });
});

it('once all puzzles have been seen, one of the older half is picked', () => {
  const deals = all[0]!.slice(0, 6);
  const seen = deals.map(puzzleId);
  const picked = [0, 0.5, 0.99].map((chance) => deals.indexOf(pickPuzzle(deals, seen, chance)));
  expect(picked).toEqual([0, 1, 2]);
});
