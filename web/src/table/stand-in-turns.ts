/** What a bot has played for somebody who was away. */

import type { TableConnection } from '../connection/table-connection.svelte';
import { findGame } from '../games/registry';
import { fetchAllEvents } from '../replay/fetch-events';
import { buildTimeline, type Moment } from '../replay/timeline';

export interface StandInSummary {
  /** How many turns, or rounds in a game where everyone plays at once. */
  n: number;
  inTurns: boolean;
  /** The replay begins to show them here. */
  address: string;
}

const seatOf = ({ event }: Moment): number | null =>
  'seat' in event && typeof event.seat === 'number' ? event.seat : null;

/**
 * The turns that a bot has played for a seat since its person last played: the first moment of
 * each. If the game isn't played in turns, each round counts as one.
 */
export function standInTurnsSinceLastPlayed(
  moments: readonly Moment[],
  seat: number,
  inTurns: boolean,
): Moment[] {
  let turns: Moment[] = [];
  let previous: Moment | undefined;
  for (const moment of moments) {
    const owner = seatOf(moment);
    if (owner === null) continue;
    if (owner === seat) {
      const last = inTurns ? previous : turns.at(-1);
      const continues = last && seatOf(last) === seat && last.round === moment.round;
      if (!moment.standIn) turns = [];
      else if (!turns.length || !continues) turns.push(moment);
    }
    previous = moment;
  }
  return turns;
}

/** What a bot has played for these seats of ours; null if it had nothing to do. */
export async function loadStandInSummary(
  { table, info, seat }: TableConnection,
  seats: readonly number[],
): Promise<StandInSummary | null> {
  const { game, match } = info!;
  const replay = await findGame(game).replay();
  const { events, actors } = await fetchAllEvents(`/tables/${table}/matches/${match}`, seat);
  const moments = buildTimeline(events, replay.timeline, actors);
  const { inTurns } = replay;
  const turns = seats.flatMap((own) => standInTurnsSinceLastPlayed(moments, own, inTurns));
  if (!turns.length) return null;
  const first = Math.min(...turns.map(({ seq }) => seq));
  return { n: turns.length, inTurns, address: `/replay/${table}/${match}?at=${first}` };
}
