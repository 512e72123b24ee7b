/** What the people and bots at a table are called. */

import { t } from '../lib/i18n.svelte';
import type { ChairInfo, TableInfo } from '../lib/wire';
import { botLevel, botName } from './bot-names';

export function seatName(chairs: readonly ChairInfo[], seat: number): string {
  const chair = chairs[seat];
  if (!chair) return '';
  if (chair.name) return chair.name;
  if (chair.kind === 'person') return t('page.pass.player', { n: seat + 1 });
  const level = botLevel(chair);
  return level ? botName(level, chairs.slice(0, seat).map(botLevel)) : t('page.lobby.free');
}

export const seatNames = ({ chairs }: Pick<TableInfo, 'chairs'>): string[] =>
  chairs.map((_, seat) => seatName(chairs, seat));

/** A seat's name in a form: a free one has a number. */
export const seatLabel = (chairs: readonly ChairInfo[], seat: number): string =>
  chairs[seat]?.kind === 'free'
    ? t('page.lobby.seat_number', { n: seat + 1 })
    : seatName(chairs, seat);
