/** Adds a match that has just ended to this browser's record. */

import type { TableConnection } from '../connection/table-connection.svelte';
import { findGame } from '../games/registry';
import { LEVELS, type ChairInfo, type Level } from '../lib/wire';
import { botLevel } from '../lobby/bot-names';
import { fetchAllEvents } from '../replay/fetch-events';
import { winsInARow } from './statistics';
import { loadRecord, saveMatch, type PlayedMatch } from './stored-record';

/** The level of the strongest bot among these; null if people are among them. */
export function strongestLevelIfAllBots(chairs: readonly ChairInfo[]): Level | null {
  if (chairs.some(({ kind }) => kind === 'person')) return null;
  const strengths = chairs.map((chair) => LEVELS.indexOf(botLevel(chair)!));
  return LEVELS[Math.max(...strengths)] ?? null;
}

/** How many wins in a row end with a recorded match; 0 if it wasn't won, or isn't recorded. */
export function winsInARowUpTo(id: string): number {
  const { matches } = loadRecord();
  return winsInARow(matches.slice(0, matches.findIndex((match) => match.id === id) + 1));
}

/** Record a match, if this browser plays one seat: a device that is passed around has no record. */
export async function recordMatch({
  info,
  yours,
  latestView,
}: Pick<TableConnection, 'info' | 'yours' | 'latestView'>): Promise<void> {
  const [seat, ...others] = yours;
  const outcome = latestView?.outcome;
  if (!info || !outcome || seat === undefined || others.length) return;
  const id = `${info.id}.${info.match}`;
  if (loadRecord().matches.some((match) => match.id === id)) return;
  const match: PlayedMatch = {
    id,
    game: info.game,
    at: Date.now(),
    level: strongestLevelIfAllBots(info.chairs.filter((_, other) => other !== seat)),
    won: outcome.winners.includes(seat),
  };
  // Saved at once, in case the page is left now.
  saveMatch(match);
  const { longestChain } = findGame(info.game);
  if (!longestChain) return;
  const { events } = await fetchAllEvents(`/tables/${info.id}/matches/${info.match}`, seat);
  saveMatch({ ...match, chain: longestChain(events, seat) });
}
