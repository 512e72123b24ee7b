/** What is agreed at a table, in plain words. */

import type { GameSetup, Options } from '../games/module';
import { describeDuration } from '../lib/duration';
import { t } from '../lib/i18n.svelte';
import type { Agreement, TableInfo } from '../lib/wire';

function describeTableTerms(agreement: Agreement): string[] {
  return [
    ...(agreement.slow ? [t('page.lobby.sum.slow')] : []),
    ...(agreement.turn_seconds === null
      ? []
      : [t('page.lobby.sum.turn', { span: describeDuration(agreement.turn_seconds) })]),
    agreement.listed ? t('page.lobby.sum.listed') : t('page.lobby.sum.private'),
    agreement.chat ? t('page.lobby.sum.chat') : t('page.lobby.sum.no_chat'),
    ...(agreement.aids ? [] : [t('page.lobby.sum.no_aids')]),
  ];
}

export const describeTableSettings = (info: TableInfo, setup: GameSetup<Options>): string[] => [
  ...setup.describe(info),
  ...describeTableTerms(info.agreement),
];
