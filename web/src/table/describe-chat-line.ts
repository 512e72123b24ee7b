import { t } from '../lib/i18n.svelte';
import type { ChairInfo, Line } from '../lib/wire';
import { seatName } from '../lobby/seat-names';

/** A chat line, a reaction or a change of a seat, as a sentence. */
export function describeChatLine(line: Line, chairs: readonly ChairInfo[]): string {
  if (line.change) {
    const name = line.name || t('page.pass.player', { n: line.seat + 1 });
    return t(`page.table.change.${line.change}`, { name });
  }
  const what = line.reaction ? t(`page.table.reaction.${line.reaction}`) : (line.text ?? '');
  return t('page.table.says', { name: seatName(chairs, line.seat), what });
}
