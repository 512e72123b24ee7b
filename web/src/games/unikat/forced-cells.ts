/**
 * Aids that only count what a seat may know anyway: where tiles are, and which cells are forced.
 */

import type { Cell, Tile, UnikatView } from '../../lib/wire';
import { cellKey, clashes, frontier, boardMap, neighbours, type BoardMap } from './placement';

const DIGITS = ['0', '1', '2'] as const;

/** All 81 tiles, in the order of their codes. */
export const ALL_TILES: readonly Tile[] = DIGITS.flatMap((shape) =>
  DIGITS.flatMap((colour) =>
    DIGITS.flatMap((size) =>
      DIGITS.map((background): Tile => `${shape}${colour}${size}${background}`),
    ),
  ),
);

export type Whereabouts = 'board' | 'hand' | 'display' | 'known' | 'unseen';

/** Where each tile is, as far as the seat can tell. `known`: another player has taken it openly. */
export function whereabouts(view: UnikatView): Map<Tile, Whereabouts> {
  const found = new Map<Tile, Whereabouts>(ALL_TILES.map((tile) => [tile, 'unseen']));
  for (const tile of [...view.known.flat(), ...view.hands.flat()]) found.set(tile, 'known');
  for (const [, , tile] of view.board) found.set(tile, 'board');
  for (const tile of view.display) found.set(tile, 'display');
  for (const tile of view.hand) found.set(tile, 'hand');
  return found;
}

/** An empty cell beside two tiles or more that only one tile fits. */
export interface ForcedCell {
  cell: Cell;
  tile: Tile;
  /** Whether the tile isn't on the board yet. */
  available: boolean;
}

/**
 * Beside two tiles that differ in two features, two others fit, and one of them already lies
 * diagonally across. Beside two that differ in one feature, only the third of their kind fits.
 */
export function forcedCells(view: UnikatView): ForcedCell[] {
  const table = boardMap(view.board);
  return frontier(table).flatMap((cell) => {
    if (neighbours(cell).filter((near) => table.has(cellKey(near))).length < 2) return [];
    const across = diagonalTiles(table, cell);
    const fitting = ALL_TILES.filter(
      (tile) => !across.includes(tile) && !clashes(table, tile, cell).length,
    );
    const [tile] = fitting;
    if (!tile || fitting.length > 1) return [];
    return [{ cell, tile, available: !view.board.some(([, , laid]) => laid === tile) }];
  });
}

/** The tiles diagonally across from a cell that touch two of its neighbours. */
function diagonalTiles(table: BoardMap, [x, y]: Cell): (Tile | undefined)[] {
  const ways = [-1, 1].flatMap((right) => [-1, 1].map((down) => [right, down] as const));
  return ways
    .filter(
      ([right, down]) => table.has(cellKey([x + right, y])) && table.has(cellKey([x, y + down])),
    )
    .map(([right, down]) => table.get(cellKey([x + right, y + down])));
}
