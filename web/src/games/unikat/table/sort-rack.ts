/** Sorting the rack. */

import type { Tile } from '../../../lib/wire';
import { FEATURES, type Feature } from '../appearance';
import { differingFeatures } from '../placement';

export const RACK_ORDERS = ['taken', ...FEATURES, 'links'] as const;
export type RackOrder = (typeof RACK_ORDERS)[number];

export const areLinked = (one: Tile, other: Tile): boolean =>
  differingFeatures(one, other).length === 1;

/** The tiles of a hand in a chosen order. */
export function sortRack(hand: readonly Tile[], order: RackOrder): Tile[] {
  if (order === 'taken') return [...hand];
  if (order === 'links') return sortByLinks(hand);
  const first = FEATURES.indexOf(order as Feature);
  const key = (tile: Tile) => tile[first]! + tile;
  return [...hand].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** The longest row in which each tile could touch the next, then the longest of the rest. */
function sortByLinks(hand: readonly Tile[]): Tile[] {
  let rest = [...hand].sort();
  const rows: Tile[] = [];
  while (rest.length) {
    const row = longestRow(rest);
    rows.push(...row);
    rest = rest.filter((tile) => !row.includes(tile));
  }
  return rows;
}

/** Tries all sets of tiles and the tile at which a row ends: a few thousand for a hand of ten. */
function longestRow(tiles: readonly Tile[]): Tile[] {
  let rows: readonly { set: number; row: readonly Tile[] }[] = tiles.map((tile, index) => ({
    set: 1 << index,
    row: [tile],
  }));
  let longest = rows[0]!.row;
  while (rows.length) {
    longest = rows[0]!.row;
    const longer = new Map<string, { set: number; row: readonly Tile[] }>();
    for (const { set, row } of rows) {
      tiles.forEach((tile, index) => {
        if (set & (1 << index) || !areLinked(row.at(-1)!, tile)) return;
        const next = set | (1 << index);
        longer.set(`${next} ${index}`, { set: next, row: [...row, tile] });
      });
    }
    rows = [...longer.values()];
  }
  return [...longest];
}
