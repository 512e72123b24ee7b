/** Ready-made choices for a table: what families want most, in one tap. */

import type { Options, Preset } from '../games/module';
import type { Agreement, TableInfo } from '../lib/wire';

/** For games where everyone is there at the same time. */
export const LIVE_AGREEMENT: Partial<Agreement> = {
  slow: false,
  turn_seconds: null,
  away_seconds: 120,
};
/** For turns that may take days. */
export const SLOW_AGREEMENT: Partial<Agreement> = {
  slow: true,
  turn_seconds: 3 * 86_400,
  away_seconds: null,
};

const hasSameValues = (some: object, all: object): boolean =>
  Object.entries(some).every(([key, value]) => all[key as keyof typeof all] === value);

/** Whether a table is set up like this now. */
export const isPresetInUse = ({ options, agreement }: Preset<Options>, info: TableInfo): boolean =>
  hasSameValues(options, info.options) && hasSameValues(agreement, info.agreement);
