/** A hint for a player who is stuck on a card. */

import type { Deal } from '../../../lib/wire';
import { sameCells } from '../hexes';
import type { Placed } from '../placement';
import { solve } from './solver';

export type Hint =
  { kind: 'lift'; piece: number } | { kind: 'place'; piece: number; cells: Deal['area'] };

/**
 * One step towards the solution, with the wanted piece if it isn't placed yet. A misplaced piece is
 * lifted first. null: the card is solved, or has no solution.
 */
export function findHint(deal: Deal, placed: Placed, wanted: number | null): Hint | null {
  const right = solve(deal);
  if (!right) return null;
  const wrong = Object.keys(placed)
    .map(Number)
    .find((piece) => !sameCells(placed[piece]!, right[piece]!));
  if (wrong !== undefined) return { kind: 'lift', piece: wrong };
  const left = Object.keys(deal.pieces)
    .map(Number)
    .filter((piece) => !(piece in placed));
  const piece = wanted !== null && left.includes(wanted) ? wanted : left[0];
  return piece === undefined ? null : { kind: 'place', piece, cells: right[piece]! };
}
