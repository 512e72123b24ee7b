/** What the page and Ubongo's table agree on. */

import type { PlayableMatch } from '../../../connection/playable-match';
import type { UbongoAction, UbongoEvent, UbongoView } from '../../../lib/wire';
import type { TableProps } from '../../module';

export type PlayableUbongoMatch = PlayableMatch<UbongoView, UbongoAction, UbongoEvent>;

export interface UbongoTableProps extends TableProps<UbongoView, UbongoAction, UbongoEvent> {
  /** One device for everyone: a round is solved elsewhere, and nobody has to be waited for. */
  passAndPlay?: boolean;
}
