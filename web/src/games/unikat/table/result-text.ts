/** How a round or a match ended, in one sentence. */

import { t } from '../../../lib/i18n.svelte';
import type { UnikatView } from '../../../lib/wire';
import { formatList } from '../../../lib/format-list';

interface ReaderContext {
  names: readonly string[];
  /** The reader's seat; null: none, or several people's. */
  you: number | null;
}

export function resultText(view: UnikatView, listener: ReaderContext): string {
  if (view.options.rounds > 1)
    return view.outcome
      ? describeMatchEnd(view.outcome.winners, listener)
      : describeRoundEnd(view, listener);
  const { winners, ended } = view;
  const { named, alone } = describeWinners(winners, listener);
  if (ended === 'last tile')
    return alone ? t('page.unikat.over.lastTile.you') : t('page.unikat.over.lastTile.name', named);
  return alone ? t('page.unikat.over.blocked.you') : t('page.unikat.over.blocked.name', named);
}

/** The end of a round that others follow. */
function describeRoundEnd({ winners, ended, round }: UnikatView, listener: ReaderContext): string {
  const { named, alone } = describeWinners(winners, listener);
  const result = alone
    ? t('page.unikat.over.round.you', { round })
    : t('page.unikat.over.round.name', { ...named, round });
  return ended === 'last tile' ? result : `${t('page.unikat.over.blocked')} ${result}`;
}

function describeMatchEnd(winners: readonly number[], listener: ReaderContext): string {
  const { named, alone } = describeWinners(winners, listener);
  if (alone) return t('page.unikat.over.match.you');
  return winners.length > 1
    ? t('page.unikat.over.match.shared', named)
    : t('page.unikat.over.match.name', { name: named.names });
}

const describeWinners = (winners: readonly number[], { names, you }: ReaderContext) => ({
  named: { names: formatList(winners.map((seat) => names[seat] ?? '')), n: winners.length },
  alone: winners.length === 1 && winners[0] === you,
});
