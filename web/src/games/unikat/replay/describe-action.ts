/** Actions in words, for the coach to say what would have been better. */

import { t, translations } from '../../../lib/i18n.svelte';
import type { UnikatAction } from '../../../lib/wire';
import type { NameTile } from '../tile-sentence';

type SwapOrDraw = Extract<UnikatAction, { kind: 'swap' | 'draw' }>;

function describeSwapOrDraw(action: SwapOrDraw, name: NameTile): string {
  const give = action.kind === 'swap' ? name(action.give) : null;
  if (action.take === 'bag')
    return give === null ? t('page.coach.drawBag') : t('page.coach.swapBag', { give });
  const take = name(action.take);
  return give === null ? t('page.coach.draw', { take }) : t('page.coach.swap', { give, take });
}

/** An action as a sentence. */
export function describeAction(action: UnikatAction, nameTile: NameTile): string {
  switch (action.kind) {
    case 'lay':
      return t('page.unikat.lay', { n: action.tiles.length });
    case 'swap':
    case 'draw':
      return describeSwapOrDraw(action, nameTile);
    case 'decline':
      return t('page.unikat.decline');
    case 'pass':
    case 'ready':
      return t('page.unikat.pass');
  }
}

/** An action within a sentence: without a capital letter. */
export function describeActionInSentence(action: UnikatAction, nameTile: NameTile): string {
  const text = describeAction(action, nameTile);
  return text.charAt(0).toLocaleLowerCase(translations.locale) + text.slice(1);
}
