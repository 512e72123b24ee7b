/** Who has sat down or left while no match was being played: during one, the chat says so. */

import { t } from '../lib/i18n.svelte';
import type { TableInfo } from '../lib/wire';

interface KnownTable {
  info: TableInfo;
  yours: readonly number[];
}

/** What everyone else did between two states of a table, as sentences. */
export function describeSeatNews(before: KnownTable, after: KnownTable): string[] {
  const phases = [before.info.phase, after.info.phase];
  if (phases.includes('playing') || before.info.match !== after.info.match) return [];
  const ours = [...before.yours, ...after.yours];
  return after.info.chairs.flatMap((chair, seat) => {
    const was = before.info.chairs[seat];
    if (ours.includes(seat) || (was?.kind === 'person') === (chair.kind === 'person')) return [];
    const key = chair.kind === 'person' ? 'page.table.change.sat_down' : 'page.lobby.left';
    const name = chair.name || was?.name || t('page.pass.player', { n: seat + 1 });
    return [t(key, { name })];
  });
}
