/** Setting up a table of Unikat. */

import { t } from '../../../lib/i18n.svelte';
import type { UnikatOptions, UnikatTable } from '../../../lib/wire';
import { LIVE_AGREEMENT, SLOW_AGREEMENT } from '../../../lobby/presets';
import { seatName } from '../../../lobby/seat-names';
import type { Preset } from '../../module';

export { default as Form } from './OptionsForm.svelte';

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
