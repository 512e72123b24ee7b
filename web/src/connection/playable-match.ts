/**
 * What a game's table needs from whatever it shows: a live table, a lesson or a puzzle of the day.
 */

import type { TableInfo } from '../lib/wire';

export interface PlayableMatch<View, Action, Event> {
  readonly view: View;
  /** Who sits where; null if there are no chairs, as in a lesson. */
  readonly info: TableInfo | null;
  /** The match's id, if it's one that continues after a reload. */
  readonly match?: string;
  /** The seat whose view this is; null for a spectator. */
  readonly seat: number | null;
  /** All seats that this browser holds, at a table that has any. */
  readonly yours?: readonly number[];
  /** Resolves once the action is stored; rejects with RefusedError. */
  act(action: Action): Promise<unknown>;
  /** Stop waiting for bots, if only they still have something to do. */
  skipBots?(): Promise<unknown>;
  /** Listen to events as they happen. Returns a function that stops it. */
  listenToEvents(listener: (events: readonly Event[], view: View) => void): () => void;
  /** The latest events, for someone who has just arrived or was away. */
  recentEvents?(): Promise<readonly Event[]>;
}
