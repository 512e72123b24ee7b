/** What a table in a list is waiting for, in one line. */

import { findGame } from '../games/registry';
import { t } from '../lib/i18n.svelte';
import type { MyTable, TableInfo } from '../lib/wire';
import { seatName } from './seat-names';

export const waitsForUs = ({ awaited, yours, table }: MyTable): boolean =>
  table.paused === null && awaited.some((seat) => yours.includes(seat));

/** Tables that wait for us come first, finished ones last. */
const urgencyRank = (mine: MyTable): number =>
  waitsForUs(mine) ? 0 : { playing: 1, lobby: 2, over: 3 }[mine.table.phase];

export const sortByUrgency = (tables: readonly MyTable[]): MyTable[] =>
  [...tables].sort((one, other) => urgencyRank(one) - urgencyRank(other));

export function describeStatus(table: TableInfo, awaited: readonly number[] = []): string {
  if (table.phase === 'over') return t('page.tables.over');
  if (table.phase === 'lobby') {
    const n = table.chairs.filter(({ kind }) => kind === 'free').length;
    return n ? t('page.tables.free', { n }) : t('page.tables.full');
  }
  if (table.paused !== null) return t('page.tables.paused');
  return awaited.length === 1 && findGame(table.game).hasTurns
    ? t('page.tables.waits', { name: seatName(table.chairs, awaited[0]!) })
    : t('page.tables.playing');
}

export const describeMyStatus = (mine: MyTable): string =>
  waitsForUs(mine) && findGame(mine.table.game).hasTurns
    ? t('page.tables.yours')
    : describeStatus(mine.table, mine.awaited);
