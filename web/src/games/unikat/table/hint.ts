/** Something that a player can do: a tile, and the place where it touches most. */

import type { Cell, Tile } from '../../../lib/wire';
import { cellKey, neighbours, type BoardMap } from '../placement';

export interface Hint {
  tile: Tile;
  cell: Cell;
}

/** Of all tiles that fit somewhere, one that earns the most; null: none fits. */
export function hint(
  tiles: readonly Tile[],
  placesOf: (tile: Tile) => readonly Cell[],
  table: BoardMap,
): Hint | null {
  const touched = ({ cell }: Hint) =>
    neighbours(cell).filter((near) => table.has(cellKey(near))).length;
  return tiles
    .flatMap((tile) => placesOf(tile).map((cell) => ({ tile, cell })))
    .reduce<Hint | null>(
      (best, each) => (best && touched(best) >= touched(each) ? best : each),
      null,
    );
}
