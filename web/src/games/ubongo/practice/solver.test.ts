import { describe, expect, it } from 'vitest';
import { moveBy, orientations, sameCells } from '../hexes';
import { findConflict } from '../placement';
import { DIFFICULTIES, listPuzzles, loadDeck } from './puzzles';
import { solve } from './solver';

const SIDES = [3, 4, 5] as const;
const some = (
  await Promise.all(
    SIDES.map(async (side) => {
      const deck = await loadDeck(side);
      return DIFFICULTIES.flatMap((level) => listPuzzles(deck, side, level)).filter(
        (_, at) => at % 11 === 0,
      );
    }),
  )
).flat();

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
});
