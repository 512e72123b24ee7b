/** Whose turn it is, said where one may not be looking: in the tab's title and by a sound. */

import { t } from '../lib/i18n.svelte';
import { play } from '../lib/sounds';
import type { TableLink } from '../connection/table-connection.svelte';
import { stayAwake } from '../lib/wake-lock';
import { awaited } from '../lobby/seat-names';

/** Whether the match waits for one of the seats that are ours. */
export function ourTurn(link: TableLink): boolean {
  const { info, view } = link;
  if (!info || info.phase !== 'playing' || info.paused !== null) return false;
  return awaited(view).some((seat) => link.yours.includes(seat));
}

/** To be called while a component is set up; what it starts ends with it. */
export function callForAttention(link: TableLink): { readonly title: string } {
  let heard = false;
  const turn = $derived(ourTurn(link));

  $effect(() => {
    // A race makes its own sounds; and who has just come looks anyway.
    if (turn && heard && link.info?.game === 'unikat') play('yourTurn');
    heard = true;
  });

  $effect(() => {
    if (turn) return stayAwake();
  });

  return {
    get title() {
      const game = t(`page.first.${link.info!.game}.title`);
      return turn ? t('page.table.title.yours', { game }) : t('page.title', { title: game });
    },
  };
}
