/** What the page and Ubongo's table agree on. */

import type { Play } from '../../../connection/play';
import type { UbongoAction, UbongoEvent, UbongoView } from '../../../lib/wire';
import type { TableProps } from '../../module';

export type UbongoPlay = Play<UbongoView, UbongoAction, UbongoEvent>;

export type UbongoTableProps = TableProps<UbongoView, UbongoAction, UbongoEvent>;
