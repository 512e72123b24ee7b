import { describe, expect, it } from 'vitest';
import type { Deal } from '../../../lib/wire';
import { moveBy, orientations, sameCells } from '../hexes';
import { findConflict } from '../placement';
import { loadDeck, nextHint, DIFFICULTIES, pickPuzzle, puzzleId, listPuzzles } from './puzzles';
import { solve } from './solver';

const SIDES = [3, 4, 5] as const;
const all = await Promise.all(
  SIDES.map(async (side) => {
    const deck = await loadDeck(side);
    return DIFFICULTIES.flatMap((level) => listPuzzles(deck, side, level));
  }),
);
const some = all.flatMap((deals) => deals.filter((_, at) => at % 11 === 0));

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

describe('the solver', () => {
  it('solves every kind of card', () => {
    for (const deal of some) {
      const found = solve(deal)!;
      expect(Object.keys(found)).toEqual(Object.keys(deal.pieces));
      for (const [piece, cells] of Object.entries(found))
        expect(findConflict({ deal, placed: found }, Number(piece), cells)).toBeNull();
      expect(Object.values(found).flat()).toHaveLength(deal.area.length);
    }
  });

  it('continues from correctly placed pieces', () => {
    for (const deal of some) {
      const right = solve(deal)!;
      const first = Number(Object.keys(deal.pieces)[0]);
      expect(solve(deal, { [first]: right[first]! })).toEqual(right);
    }
  });

  it('finds no solution with a misplaced piece', () => {
    // Each card has one solution, so a piece anywhere else leaves none.
    const misplaced = some.flatMap((deal) => {
      const right = solve(deal)!;
      const first = Number(Object.keys(deal.pieces)[0]);
      const places = orientations(deal.pieces[first]!).flatMap((form) =>
        deal.area.map((cell) => moveBy(form, cell)),
      );
      const wrong = places.find(
        (cells) =>
          !findConflict({ deal, placed: {} }, first, cells) && !sameCells(cells, right[first]!),
      );
      return wrong ? [{ deal, placed: { [first]: wrong } }] : [];
    });
    expect(misplaced.length).toBeGreaterThan(some.length / 2);
    for (const { deal, placed } of misplaced) expect(solve(deal, placed)).toBeNull();
  });

  it('hints one piece at a time until it is solved', () => {
    for (const deal of some.slice(0, 8)) {
      let placed = {};
      for (let step = 0; step < deal.side; step++) {
        const next = nextHint(deal, placed, null);
        if (next?.kind !== 'place') throw new Error('a wrong piece, where there is none');
        placed = { ...placed, [next.piece]: next.cells };
      }
      expect(nextHint(deal, placed, null)).toBeNull();
    }
  });

  it('first hints at a misplaced piece', () => {
    const deal = some[0]!;
    const piece = Number(Object.keys(deal.pieces)[0]);
    const placed = { [piece]: deal.area.slice(0, deal.pieces[piece]!.length) };
    expect(nextHint(deal, placed, null)).toEqual({ kind: 'lift', piece });
  });

  it('hints at the wanted piece, unless it is already placed', () => {
    const deal = some[0]!;
    const right = solve(deal)!;
    const [first, second] = Object.keys(deal.pieces).map(Number) as [number, number];
    const place = (piece: number) => ({ kind: 'place', piece, cells: right[piece] });
    expect(nextHint(deal, {}, second)).toEqual(place(second));
    expect(nextHint(deal, { [second]: right[second]! }, second)).toEqual(place(first));
  });
});

it('once all puzzles have been seen, one of the older half is picked', () => {
  const deals = all[0]!.slice(0, 6);
  const seen = deals.map(puzzleId);
  const picked = [0, 0.5, 0.99].map((chance) => deals.indexOf(pickPuzzle(deals, seen, chance)));
  expect(picked).toEqual([0, 1, 2]);
});
