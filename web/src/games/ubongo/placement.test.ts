import { expect, test } from 'vitest';
import type { Deal, Shape } from '../../lib/wire';
import { findConflict, isSolved, overlapsArea, pieceAt } from './placement';
import vectors from './placement.vectors.json';
import { LocalPuzzle } from './solve/puzzle-state.svelte';

/**
 * Written by tests/make_page_vectors.py: how the rules judge each step. A step without cells lifts.
 */
interface Card {
  deal: Deal;
  steps: { piece: number; cells: Shape | null; refused: string | null; solved: boolean }[];
}

test.each(vectors as unknown as Card[])('placements are judged as by the rules: %#', (card) => {
  const puzzle = new LocalPuzzle(card.deal);
  for (const { piece, cells, refused, solved } of card.steps) {
    if (cells) {
      expect(findConflict(puzzle, piece, cells), JSON.stringify(cells)).toBe(refused);
      if (!refused) {
        puzzle.recordPlacement(piece, cells);
        for (const cell of cells) expect(pieceAt(puzzle.placed, cell)).toBe(piece);
      }
    } else puzzle.lift(piece);
    expect(isSolved(puzzle)).toBe(solved);
  }
});

test('a piece overlaps the card even by a single cell', () => {
  const { deal } = (vectors as unknown as Card[])[0]!;
  const [[q, r]] = deal.area as [[number, number]];
  expect(overlapsArea(deal, [[q, r]])).toBe(true);
  expect(overlapsArea(deal, [[q - 50, r]])).toBe(false);
});
