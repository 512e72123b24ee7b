/** What is agreed at a table, in plain words. */

import { t } from '../lib/i18n.svelte';
import type { Agreement, TableInfo, UbongoOptions, UnikatOptions } from '../lib/wire';
import { chairName } from './seat-names';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "90 seconds", "2 minutes", "3 days": in the largest unit that it is whole in. */
export function span(seconds: number): string {
  if (seconds % DAY === 0) return t('page.lobby.span.days', { n: seconds / DAY });
  if (seconds % HOUR === 0) return t('page.lobby.span.hours', { n: seconds / HOUR });
  if (seconds % MINUTE === 0) return t('page.lobby.span.minutes', { n: seconds / MINUTE });
  return t('page.lobby.span.seconds', { n: seconds });
}

function unikat(options: UnikatOptions, info: TableInfo): string[] {
  const { starter } = options;
  return [
    t('page.lobby.sum.rounds', { n: options.rounds }),
    starter === null
      ? t('page.lobby.sum.drawn')
      : t('page.lobby.sum.begins', { name: chairName(info.chairs, starter) }),
    ...(options.extra_action === 'continue' ? [t('page.lobby.sum.continue')] : []),
  ];
}

function ubongo(options: UbongoOptions): string[] {
  return [
    options.handicap.length
      ? t('page.lobby.sum.handicap')
      : t('page.lobby.sum.pieces', { n: options.pieces }),
    options.seconds === null
      ? t('page.lobby.sum.untimed')
      : t('page.lobby.sum.seconds', { span: span(options.seconds) }),
    ...(options.same_puzzle ? [t('page.lobby.sum.same')] : []),
  ];
}

function agreed(agreement: Agreement): string[] {
  return [
    ...(agreement.slow ? [t('page.lobby.sum.slow')] : []),
    ...(agreement.turn_seconds === null
      ? []
      : [t('page.lobby.sum.turn', { span: span(agreement.turn_seconds) })]),
    agreement.listed ? t('page.lobby.sum.listed') : t('page.lobby.sum.private'),
    agreement.chat ? t('page.lobby.sum.chat') : t('page.lobby.sum.no_chat'),
  ];
}

export const summary = (info: TableInfo): string[] => [
  ...(info.game === 'unikat' ? unikat(info.options, info) : ubongo(info.options)),
  ...agreed(info.agreement),
];
