/**
 * What a game's table on the page needs to know and do. A live table is one; so are replays, lessons
 * and solo practice, which bring views from elsewhere.
 */

import type { TableInfo } from '../lib/wire';

export interface Play<View, Action, Event> {
  readonly view: View;
  /** Who sits where; null where nobody does, as in a lesson. */
  readonly info: TableInfo | null;
  /** Whose eyes this is; null: a spectator's. */
  readonly seat: number | null;
  /** Resolves when it is done for good; rejects with Refused. */
  act(action: Action): Promise<unknown>;
  /** Hear what happens, to show it; returns how to stop. */
  onEvents(listener: (events: readonly Event[], view: View) => void): () => void;
  /** What has happened up to now, or the last of it: for whoever has just come, or was away. */
  recent?(): Promise<readonly Event[]>;
}
