/** How a round or a match ended, in one sentence. */

import { t } from '../../../lib/i18n.svelte';
import type { UnikatView } from '../../../lib/wire';
import { formatList } from '../../../lib/lists';

export function resultText(view: UnikatView, names: readonly string[]): string {
  if (view.outcome && view.options.rounds > 1)
    return matchEnding(view.outcome.winners, view, names);
  const named = {
    names: formatList(view.winners.map((seat) => names[seat] ?? '')),
    n: view.winners.length,
  };
  const alone = view.winners.length === 1 && view.winners[0] === view.seat;
  if (view.ended === 'last tile') {
    return alone ? t('page.unikat.over.lastTile.you') : t('page.unikat.over.lastTile.name', named);
  }
  return alone ? t('page.unikat.over.blocked.you') : t('page.unikat.over.blocked.name', named);
}

function matchEnding(
  winners: readonly number[],
  view: UnikatView,
  names: readonly string[],
): string {
  if (winners.length === 1 && winners[0] === view.seat) return t('page.unikat.over.match.you');
  const named = formatList(winners.map((seat) => names[seat] ?? ''));
  return winners.length > 1
    ? t('page.unikat.over.match.shared', { names: named })
    : t('page.unikat.over.match.name', { name: named });
}
