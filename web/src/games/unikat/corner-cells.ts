/** The cells that only one tile fits: an aid that only uses what a seat may know anyway. */

import type { Cell, Tile, UnikatView } from '../../lib/wire';
import { cellKey, findClashes, frontier, boardMap, neighbours, type BoardMap } from './placement';
import { ALL_TILES } from './tile-locations';

/** An empty cell beside two tiles or more that only one tile fits. */
export interface CornerCell {
  cell: Cell;
  tile: Tile;
  /** Whether the tile isn't on the board yet. */
  available: boolean;
}

/**
 * Beside two tiles that differ in two features, two others fit, and one of them already lies
 * diagonally across. Beside two that differ in one feature, only the third of their kind fits.
 */
export function findCornerCells(view: UnikatView): CornerCell[] {
  const table = boardMap(view.board);
  return frontier(table).flatMap((cell) => {
    if (neighbours(cell).filter((near) => table.has(cellKey(near))).length < 2) return [];
    const across = tilesDiagonallyAcross(table, cell);
    const fitting = ALL_TILES.filter(
      (tile) => !across.includes(tile) && !findClashes(table, tile, cell).length,
    );
    const [tile] = fitting;
    if (!tile || fitting.length > 1) return [];
    return [{ cell, tile, available: !view.board.some(([, , laid]) => laid === tile) }];
  });
}

/** The tiles diagonally across from a cell that touch two of its neighbours. */
function tilesDiagonallyAcross(table: BoardMap, [x, y]: Cell): (Tile | undefined)[] {
  const ways = [-1, 1].flatMap((right) => [-1, 1].map((down) => [right, down] as const));
  return ways
    .filter(
      ([right, down]) => table.has(cellKey([x + right, y])) && table.has(cellKey([x, y + down])),
    )
    .map(([right, down]) => table.get(cellKey([x + right, y + down])));
}
