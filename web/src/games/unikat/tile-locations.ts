/** All tiles, and where each of them is as far as a seat may know. */

import type { Tile, UnikatView } from '../../lib/wire';

const DIGITS = ['0', '1', '2'] as const;

/** All 81 tiles, in the order of their codes. */
export const ALL_TILES: readonly Tile[] = DIGITS.flatMap((shape) =>
  DIGITS.flatMap((colour) =>
    DIGITS.flatMap((size) =>
      DIGITS.map((background): Tile => `${shape}${colour}${size}${background}`),
    ),
  ),
);

export type TileLocation = 'board' | 'hand' | 'display' | 'known' | 'unseen';

/** Where each tile is, as far as the seat can tell. `known`: another player has taken it openly. */
export function locateTiles(view: UnikatView): Map<Tile, TileLocation> {
  const found = new Map<Tile, TileLocation>(ALL_TILES.map((tile) => [tile, 'unseen']));
  for (const tile of [...view.known.flat(), ...view.hands.flat()]) found.set(tile, 'known');
  for (const [, , tile] of view.board) found.set(tile, 'board');
  for (const tile of view.display) found.set(tile, 'display');
  for (const tile of view.hand) found.set(tile, 'hand');
  return found;
}
