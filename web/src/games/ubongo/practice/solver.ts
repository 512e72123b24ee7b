/**
 * Whether and how a card can still be solved. For practice, and for solutions shown after a round.
 * A cell is a bit, and the lowest free cell must be covered by a piece whose own lowest cell lies
 * there.
 */

import type { Deal, Shape } from '../../../lib/wire';
import { moveBy, cellKey, orientations } from '../hexes';
import type { Placed } from '../placement';

interface PossiblePlacement {
  piece: number;
  mask: number;
  cells: Shape;
}

/** A solution that keeps the placed pieces; null: there is none. */
export function solve(deal: Deal, placed: Placed = {}): Placed | null {
  const bits = new Map(deal.area.map((cell, at) => [cellKey(cell), 1 << at]));
  const maskOf = (cells: Shape): number =>
    cells.reduce((mask, cell) => mask | (bits.get(cellKey(cell)) ?? 0), 0);
  const free = Object.values(placed).reduce(
    (left, cells) => left & ~maskOf(cells),
    maskOf(deal.area),
  );
  const numbers = Object.keys(deal.pieces).map(Number);
  const left = numbers.filter((piece) => !(piece in placed));
  const ways = new Map<number, PossiblePlacement[]>();
  for (const piece of left)
    for (const form of orientations(deal.pieces[piece]!))
      for (const cell of deal.area) {
        const cells = moveBy(form, cell);
        const mask = maskOf(cells);
        if (!cells.every((each) => bits.has(cellKey(each))) || (mask & free) !== mask) continue;
        const lowest = mask & -mask;
        ways.set(lowest, [...(ways.get(lowest) ?? []), { piece, mask, cells }]);
      }
  const found = coverFreeCells(free, new Set(left), ways);
  return found && Object.fromEntries([...Object.entries(placed), ...found]);
}

function coverFreeCells(
  free: number,
  left: ReadonlySet<number>,
  ways: ReadonlyMap<number, readonly PossiblePlacement[]>,
): [number, Shape][] | null {
  if (!free) return left.size ? null : [];
  for (const { piece, mask, cells } of ways.get(free & -free) ?? []) {
    if (!left.has(piece) || (mask & free) !== mask) continue;
    const rest = coverFreeCells(
      free & ~mask,
      new Set([...left].filter((other) => other !== piece)),
      ways,
    );
    if (rest) return [[piece, cells], ...rest];
  }
  return null;
}
