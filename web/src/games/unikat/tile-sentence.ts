/** Sentences with tiles in them, which TileSentence.svelte shows as pictures. */

import type { Skin } from '../../lib/settings.svelte';
import type { Tile } from '../../lib/wire';
import { tileName } from './appearance';

export type NameTile = (tile: Tile) => string;

/** Stands on both sides of a tile that is to be drawn. */
const TILE_MARK = '\ue000';

/** In place of a tile's name, where it will be drawn. */
export const markTile: NameTile = (tile) => `${TILE_MARK}${tile}${TILE_MARK}`;

/** A marked sentence in parts, every second one a tile. */
export const splitAtTiles = (marked: string): string[] => marked.split(TILE_MARK);

/** A marked sentence in words alone. */
export const nameMarkedTiles = (marked: string, skin: Skin): string =>
  splitAtTiles(marked)
    .map((part, index) => (index % 2 ? tileName(part as Tile, skin) : part))
    .join('');
