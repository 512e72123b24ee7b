/** What the page and Unikat's table agree on. */

import type { Snippet } from 'svelte';
import type { PlayableMatch } from '../../../connection/playable-match';
import type { Placement, UnikatAction, UnikatEvent, UnikatView } from '../../../lib/wire';
import type { TableProps } from '../../module';

export type PlayableUnikatMatch = PlayableMatch<UnikatView, UnikatAction, UnikatEvent>;

/** Help that a table may allow. Players switch it on and off for themselves. */
export const AIDS = ['places', 'corners', 'hint', 'seen'] as const;
export type Aid = (typeof AIDS)[number];

/** A puzzle that one seat plays alone: there is nothing to take, and nobody to wait for. */
export interface SoloPuzzle {
  /** The task, as long as there is nothing else to say. */
  task: string;
  /** In the place of the players. */
  head: Snippet;
  /** In the place of display and bag. */
  side: Snippet;
  /** Tiles that were put down earlier, and a callback to remember those put down now. */
  chain?: readonly Placement[];
  onchain?: (chain: readonly Placement[]) => void;
}

export interface UnikatTableProps extends TableProps<UnikatView, UnikatAction, UnikatEvent> {
  /** All, unless said otherwise. */
  aids?: readonly Aid[];
  solo?: SoloPuzzle;
}
