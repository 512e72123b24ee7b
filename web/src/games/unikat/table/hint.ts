/** A suggestion for a player who is stuck. */

import type { Cell, Tile } from '../../../lib/wire';
import { cellKey, neighbours, type BoardMap } from '../placement';

export interface Hint {
  tile: Tile;
  cell: Cell;
}

/** The tile and place that touch the most other tiles; null: no tile fits. */
export function findHint(
  tiles: readonly Tile[],
  placesOf: (tile: Tile) => readonly Cell[],
  table: BoardMap,
): Hint | null {
  const countTouchedTiles = ({ cell }: Hint) =>
    neighbours(cell).filter((near) => table.has(cellKey(near))).length;
  return tiles
    .flatMap((tile) => placesOf(tile).map((cell) => ({ tile, cell })))
    .reduce<Hint | null>(
      (best, each) => (best && countTouchedTiles(best) >= countTouchedTiles(each) ? best : each),
      null,
    );
}
