/** Something that a player can do: a tile, and the place where it touches most. */

import type { Cell, Tile } from '../../../lib/wire';
import { at, neighbours, type Lying } from '../placement';

export interface Hint {
  tile: Tile;
  cell: Cell;
}

/** Of all tiles that fit somewhere, one that earns the most; null: none fits. */
export function hint(
  tiles: readonly Tile[],
  placesOf: (tile: Tile) => readonly Cell[],
  table: Lying,
): Hint | null {
  const touched = ({ cell }: Hint) => neighbours(cell).filter((near) => table.has(at(near))).length;
  return tiles
    .flatMap((tile) => placesOf(tile).map((cell) => ({ tile, cell })))
    .reduce<Hint | null>(
      (best, each) => (best && touched(best) >= touched(each) ? best : each),
      null,
    );
}
