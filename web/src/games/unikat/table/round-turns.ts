/** The turns of the round, event by event, and what can be read from them. */

import type { Cell, Tile, UnikatEvent } from '../../../lib/wire';
import { cellOf } from '../placement';

type TurnEvent = Extract<
  UnikatEvent,
  { kind: 'chain_laid' | 'tile_swapped' | 'tile_drawn' | 'turn_passed' }
>;

export interface Turn {
  seat: number;
  done: readonly TurnEvent[];
  /** Whether another turn or the end of the round has followed. */
  over: boolean;
}

/** Nobody looks back further while they play; the replay has them all. */
const TURNS_KEPT = 40;

/** Add an event to the turns of a round. */
export function appendEvent(turns: readonly Turn[], event: UnikatEvent): readonly Turn[] {
  const last = turns.at(-1);
  switch (event.kind) {
    case 'round_dealt':
      return [];
    case 'chain_laid':
    case 'tile_swapped':
    case 'tile_drawn':
    case 'turn_passed':
      if (last && !last.over && last.seat === event.seat)
        return [...turns.slice(0, -1), { ...last, done: [...last.done, event] }];
      return [...turns, { seat: event.seat, done: [event], over: false }].slice(-TURNS_KEPT);
    case 'turn_ended':
    case 'round_ended':
      return last ? [...turns.slice(0, -1), { ...last, over: true }] : turns;
    default:
      return turns;
  }
}

/**
 * The turns since a seat last did something: they stay visible, even for a player who has looked
 * away, until that player acts.
 */
export const turnsSince = (turns: readonly Turn[], seat: number): readonly Turn[] =>
  turns.slice(turns.findLastIndex((turn) => turn.seat === seat) + 1);

/** Who has put which tile into the display. */
export const whoDiscarded = (turns: readonly Turn[]): ReadonlyMap<Tile, number> =>
  new Map(
    turns.flatMap(({ seat, done }) =>
      done.flatMap((event) => (event.kind === 'tile_swapped' ? [[event.give, seat] as const] : [])),
    ),
  );

/** The cells where tiles have been laid. */
export const laidCells = (turns: readonly Turn[]): readonly Cell[] =>
  turns.flatMap(({ done }) =>
    done.flatMap((event) => (event.kind === 'chain_laid' ? event.tiles.map(cellOf) : [])),
  );
