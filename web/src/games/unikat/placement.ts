/**
 * The one rule that the page knows, so that a chain can be built before it is sent: where a tile
 * fits. The server decides; vectors written by its rules keep the two in step.
 */

import type { Cell, Placement, Reason, Stone, Tile } from '../../lib/wire';
import { FEATURES, type Feature } from './appearance';

/** What lies where, by `cellKey(cell)`. */
export type BoardMap = ReadonlyMap<string, Tile>;

export const cellKey = ([x, y]: Readonly<Cell>): string => `${x},${y}`;

export const cellOf = ([, x, y]: Readonly<Placement>): Cell => [x, y];

export const sameCell = (one: Readonly<Cell>, other: Readonly<Cell>): boolean =>
  one[0] === other[0] && one[1] === other[1];

export const neighbours = ([x, y]: Readonly<Cell>): Cell[] => [
  [x, y - 1],
  [x + 1, y],
  [x, y + 1],
  [x - 1, y],
];

export const areNeighbours = (one: Readonly<Cell>, other: Readonly<Cell>): boolean =>
  Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) === 1;

export function boardMap(stones: readonly Stone[], chain: readonly Placement[] = []): BoardMap {
  return new Map([
    ...stones.map(([x, y, tile]) => [cellKey([x, y]), tile] as const),
    ...chain.map((placed) => [cellKey(cellOf(placed)), placed[0]] as const),
  ]);
}

/** Every empty cell beside a tile. */
export function frontier(table: BoardMap): Cell[] {
  const found = new Map<string, Cell>();
  for (const key of table.keys()) {
    for (const near of neighbours(key.split(',').map(Number) as Cell)) {
      if (!table.has(cellKey(near))) found.set(cellKey(near), near);
    }
  }
  return [...found.values()];
}

export const differingFeatures = (one: Tile, other: Tile): Feature[] =>
  FEATURES.filter((_, index) => one[index] !== other[index]);

/** A neighbour from which a tile differs in more than one feature. */
export interface Clash {
  cell: Cell;
  tile: Tile;
  features: readonly Feature[];
}

export function findClashes(table: BoardMap, tile: Tile, cell: Readonly<Cell>): Clash[] {
  return neighbours(cell).flatMap((near) => {
    const other = table.get(cellKey(near));
    if (!other) return [];
    const features = differingFeatures(tile, other);
    return features.length === 1 ? [] : [{ cell: near, tile: other, features }];
  });
}

/** Why a tile may not go somewhere; null: it may (U8, U9). `last` is the tile laid just before. */
export function refusalReason(
  table: BoardMap,
  tile: Tile,
  cell: Readonly<Cell>,
  last: Readonly<Cell> | null,
): Reason | null {
  if (table.has(cellKey(cell))) return 'occupied';
  if (!neighbours(cell).some((near) => table.has(cellKey(near)))) return 'touches_nothing';
  if (last && !areNeighbours(cell, last)) return 'not_next_to_last';
  return findClashes(table, tile, cell).length ? 'unlike_neighbour' : null;
}

export function placesFor(table: BoardMap, tile: Tile, last: Readonly<Cell> | null): Cell[] {
  return (last ? neighbours(last) : frontier(table)).filter(
    (cell) => refusalReason(table, tile, cell, last) === null,
  );
}

/** Whether each tile of a chain touches two or more when it's laid (U10). */
export function whichEarnBonus(stones: readonly Stone[], chain: readonly Placement[]): boolean[] {
  return chain.map((placed, index) => {
    const before = boardMap(stones, chain.slice(0, index));
    return neighbours(cellOf(placed)).filter((near) => before.has(cellKey(near))).length > 1;
  });
}
