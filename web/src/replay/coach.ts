/**
 * What the coach says of a match. This is the one place that knows its form: it comes from
 * `GET /api/tables/<table>/matches/<number>/coach`, where there is a coach.
 */

import { call, Refused } from '../lib/api';
import type { Cell, Placement, Tile } from '../lib/wire';

export interface Advice {
  turns: readonly CoachedTurn[];
}

export interface CoachedTurn {
  /** The number of the event with which the turn's first action was done. */
  seq: number;
  seat: number;
  laid: readonly Placement[];
  /** The best there was; the same as `laid`, if nothing was better. */
  best: readonly Placement[];
  /** How much better the best was, in tiles. */
  swing: number;
  /** Places that one tile closes, as the table lay before the turn. */
  corners: readonly ClosedBy[];
}

export interface ClosedBy {
  cell: Cell;
  tile: Tile;
  /** Whether the tile is still to come. */
  out: boolean;
}

/** Nothing, where the server has no coach. */
export async function ask(path: string): Promise<Advice | null> {
  try {
    return await call<Advice>('GET', `${path}/coach`);
  } catch (error) {
    if (error instanceof Refused && error.reason === 'not_found') return null;
    throw error;
  }
}

const MOST = 3;

/** The turns in which most was missed, the worst first. */
export const misses = ({ turns }: Advice): CoachedTurn[] =>
  turns
    .filter(({ swing }) => swing > 0)
    .toSorted((one, other) => other.swing - one.swing)
    .slice(0, MOST);

/** The turn that is going on when so many events have happened. */
export const turnAt = ({ turns }: Advice, seq: number): CoachedTurn | null =>
  turns.findLast((turn) => turn.seq <= seq) ?? null;
