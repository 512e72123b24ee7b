/**
 * The moments of a match that are worth stopping at: after each event that shows something, with
 * those that only follow from it.
 */

import type { Actor, GameEvent } from '../lib/wire';

export interface Moment {
  /** How many events had happened. */
  seq: number;
  /** What happened. */
  event: GameEvent;
  /** When, on the server's clock. */
  at: number;
  round: number;
  /** Whether a bot did it for a person. */
  standIn: boolean;
  /** Whether it is told in the list of turns. */
  listed: boolean;
}

/** What is told in the list of turns; everything else that is shown happens within one. */
const LISTED: ReadonlySet<GameEvent['kind']> = new Set<GameEvent['kind']>([
  'match_opened',
  'round_dealt',
  'chain_laid',
  'tile_swapped',
  'turn_passed',
  'round_began',
  'card_solved',
  'seat_gave_up',
  'second_chance_began',
  'round_ended',
  'match_ended',
]);

const SHOWN: ReadonlySet<GameEvent['kind']> = new Set<GameEvent['kind']>([
  ...LISTED,
  'bonus_declined',
  'tile_drawn',
  'piece_placed',
  'piece_lifted',
  'solution_settled',
  'sand_ran_out',
]);

/** What comes first is shown with what follows: nothing is to be seen yet. */
const SILENT: ReadonlySet<GameEvent['kind']> = new Set<GameEvent['kind']>(['match_opened']);

/** `actors` are who caused each event; older matches don't have them. */
export function momentsOf(
  events: readonly GameEvent[],
  actors: readonly (Actor | null)[] = [],
): Moment[] {
  const moments: Moment[] = [];
  let round = 0;
  events.forEach((event, index) => {
    if (event.kind === 'round_dealt' || event.kind === 'round_began') round = event.round;
    const shown = SHOWN.has(event.kind) && !(SILENT.has(event.kind) && events.length > 1);
    const seq = index + 1;
    const last = moments.at(-1);
    if (shown || !last) {
      // A deck that is mixed, and people who get ready: the same beginning.
      if (last && SILENT.has(last.event.kind)) moments.pop();
      const standIn = actors[index] === 'stand-in';
      moments.push({ seq, event, at: event.at, round, standIn, listed: LISTED.has(event.kind) });
    } else {
      last.seq = seq;
      last.at = event.at;
    }
  });
  return moments;
}

/** The moment that shows an event, by its number: those that only follow are shown with it. */
export function momentOf(moments: readonly Moment[], seq: number): number {
  const shows = moments.findIndex((moment) => moment.seq >= seq);
  return shows < 0 ? moments.length - 1 : shows;
}

/** The next listed moment in a direction; the end of the match where there is none. */
export function turnFrom(moments: readonly Moment[], index: number, by: 1 | -1): number {
  for (let at = index + by; at >= 0 && at < moments.length; at += by)
    if (moments[at]!.listed) return at;
  return by > 0 ? moments.length - 1 : 0;
}
