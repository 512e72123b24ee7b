/** Pieces on a card: where they lie, and where one more can lie (G8). */

import type { Deal, Hex, Shape } from '../../lib/wire';
import { cellKey } from './hexes';

/** The cells of each piece that lies on the card. */
export type Placed = Readonly<Record<number, Shape>>;

interface CardWithPieces {
  readonly deal: Deal;
  readonly placed: Placed;
}

/** Why a piece can't lie there, with the server's reason; null: it can. */
export function findConflict(
  card: CardWithPieces,
  piece: number,
  cells: Shape,
): 'outside_area' | 'occupied' | null {
  const area = new Set(card.deal.area.map(cellKey));
  if (!cells.every((cell) => area.has(cellKey(cell)))) return 'outside_area';
  const taken = new Set<string>();
  for (const [other, lying] of Object.entries(card.placed))
    if (Number(other) !== piece) for (const cell of lying) taken.add(cellKey(cell));
  return cells.some((cell) => taken.has(cellKey(cell))) ? 'occupied' : null;
}

/** The piece that covers a cell. */
export function pieceAt(placed: Placed, cell: Hex): number | null {
  const found = Object.entries(placed).find(([, cells]) =>
    cells.some((each) => cellKey(each) === cellKey(cell)),
  );
  return found ? Number(found[0]) : null;
}

export const isSolved = ({ deal, placed }: CardWithPieces): boolean =>
  Object.values(placed).reduce((covered, cells) => covered + cells.length, 0) === deal.area.length;

/** Whether any of the cells lie on the white area. */
export function overlapsArea({ area }: Deal, cells: Shape): boolean {
  const white = new Set(area.map(cellKey));
  return cells.some((cell) => white.has(cellKey(cell)));
}
