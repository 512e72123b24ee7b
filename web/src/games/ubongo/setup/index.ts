/** Setting up a table of Ubongo. */

import { describeDuration } from '../../../lib/duration';
import { t } from '../../../lib/i18n.svelte';
import type { UbongoOptions, UbongoTable } from '../../../lib/wire';
import type { Preset } from '../../module';

export { default as Form } from './OptionsForm.svelte';

export const presets: readonly Preset<UbongoOptions>[] = [
  {
    name: 'booklet',
    options: { pieces: 3, seconds: 60, rounds: 9, same_puzzle: false },
    agreement: {},
  },
  { name: 'relaxed', options: { pieces: 3, seconds: null, same_puzzle: false }, agreement: {} },
  { name: 'race', options: { pieces: 4, seconds: 120, same_puzzle: true }, agreement: {} },
];

export function describe({ options }: Pick<UbongoTable, 'options'>): string[] {
  const { handicap, pieces, seconds, rounds, same_puzzle } = options;
  return [
    handicap.length ? t('page.lobby.sum.handicap') : t('page.lobby.sum.pieces', { n: pieces }),
    seconds === null
      ? t('page.lobby.sum.untimed')
      : t('page.lobby.sum.seconds', { span: describeDuration(seconds) }),
    t('page.lobby.sum.rounds', { n: rounds }),
    ...(same_puzzle ? [t('page.lobby.sum.same')] : []),
  ];
}
