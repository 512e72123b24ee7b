/** What the page around Unikat's table and the table itself agree on. */

import type { Snippet } from 'svelte';
import type { Play } from '../../../connection/play';
import type { UnikatAction, UnikatEvent, UnikatView } from '../../../lib/wire';

export type UnikatPlay = Play<UnikatView, UnikatAction, UnikatEvent>;

/** Help that a table may allow. Each player switches what is allowed on and off for themselves. */
export const AIDS = ['places', 'corners', 'hint', 'seen'] as const;
export type Aid = (typeof AIDS)[number];

/** A puzzle, which one seat plays alone: there is nothing to take, and nobody to wait for. */
export interface Solo {
  /** What is to be done, as long as nothing else is to be said. */
  task: string;
  /** In the place of the players. */
  head: Snippet;
  /** In the place of display and bag. */
  side: Snippet;
}

export interface UnikatTableProps {
  play: UnikatPlay;
  /** By seat. */
  names: readonly string[];
  /** Only looking on, whatever seat the view is of. */
  spectator?: boolean;
  /** What the table allows; all, where it says nothing. */
  aids?: readonly Aid[];
  solo?: Solo;
  /** Beside the players: the button that opens the page's own menu. */
  menu?: Snippet;
  /** A line under the players: lost connection, pause. */
  banner?: Snippet;
  /** What can be done when the match is over: another match, the replay. */
  after?: Snippet;
}
