/** What the page around Ubongo's table and the table itself agree on. */

import type { Snippet } from 'svelte';
import type { Play } from '../../../connection/play';
import type { UbongoAction, UbongoEvent, UbongoView } from '../../../lib/wire';

export type UbongoPlay = Play<UbongoView, UbongoAction, UbongoEvent>;

export interface UbongoTableProps {
  play: UbongoPlay;
  /** By seat. */
  names: readonly string[];
  /** Only looking on, whatever seat the view is of. */
  spectator?: boolean;
  /** Beside the hourglass: the button that opens the page's own menu. */
  menu?: Snippet;
  /** A line under the players: lost connection, pause. */
  banner?: Snippet;
  /** What can be done when the match is over: another match, the replay. */
  after?: Snippet;
}
