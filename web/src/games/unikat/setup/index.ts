/** Setting up a table of Unikat. */

import { t } from '../../../lib/i18n.svelte';
import type { Agreement, UnikatOptions, UnikatTable } from '../../../lib/wire';
import { seatName } from '../../../lobby/seat-names';
import type { Preset } from '../../module';

export { default as Form } from './OptionsForm.svelte';

/** For games where everyone is there at the same time. */
const LIVE_AGREEMENT: Partial<Agreement> = {
  slow: false,
  turn_seconds: null,
  away_seconds: 120,
};
/** For turns that may take days. */
const SLOW_AGREEMENT: Partial<Agreement> = {
  slow: true,
  turn_seconds: 3 * 86_400,
  away_seconds: null,
};

export const presets: readonly Preset<UnikatOptions>[] = [
  { name: 'short', options: { rounds: 1 }, agreement: LIVE_AGREEMENT },
  { name: 'evening', options: { rounds: 3, next_starter: 'rotate' }, agreement: LIVE_AGREEMENT },
  { name: 'slow', options: { rounds: 1 }, agreement: SLOW_AGREEMENT },
];

export function describe({ options, chairs }: Pick<UnikatTable, 'options' | 'chairs'>): string[] {
  const { rounds, starter, extra_action } = options;
  return [
    t('page.lobby.sum.rounds', { n: rounds }),
    starter === null
      ? t('page.lobby.sum.drawn')
      : t('page.lobby.sum.begins', { name: seatName(chairs, starter) }),
    ...(extra_action === 'continue' ? [t('page.lobby.sum.continue')] : []),
  ];
}
