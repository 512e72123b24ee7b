/** Ready-made choices for a table: what families want most, in one tap. */

import type { Agreement, TableInfo, UbongoOptions, UnikatOptions } from '../lib/wire';

export type PresetName = 'short' | 'evening' | 'slow' | 'booklet' | 'relaxed' | 'race';

interface Given {
  name: PresetName;
  options: Partial<UnikatOptions> | Partial<UbongoOptions>;
  agreement: Partial<Agreement>;
}

export interface Preset extends Given {
  /** The table is like this now. */
  on: boolean;
}

const LIVE: Partial<Agreement> = { slow: false, turn_seconds: null, away_seconds: 120 };
const SLOW: Partial<Agreement> = { slow: true, turn_seconds: 3 * 86_400, away_seconds: null };

const UNIKAT: readonly Given[] = [
  { name: 'short', options: { rounds: 1 }, agreement: LIVE },
  { name: 'evening', options: { rounds: 3, next_starter: 'rotate' }, agreement: LIVE },
  { name: 'slow', options: { rounds: 1 }, agreement: SLOW },
];

const UBONGO: readonly Given[] = [
  { name: 'booklet', options: { pieces: 3, seconds: 60, same_puzzle: false }, agreement: {} },
  { name: 'relaxed', options: { pieces: 3, seconds: null, same_puzzle: false }, agreement: {} },
  { name: 'race', options: { pieces: 4, seconds: 120, same_puzzle: true }, agreement: {} },
];

const holds = (some: object, all: object): boolean =>
  Object.entries(some).every(([key, value]) => all[key as keyof typeof all] === value);

export const presetsFor = (info: TableInfo): Preset[] =>
  (info.game === 'unikat' ? UNIKAT : UBONGO).map((given) => ({
    ...given,
    on: holds(given.options, info.options) && holds(given.agreement, info.agreement),
  }));
