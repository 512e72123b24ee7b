/** Tells players that it's their turn while they look elsewhere: a sound and the tab's title. */

import type { TableConnection } from '../connection/table-connection.svelte';
import { gameNamed } from '../games/registry';
import { t } from '../lib/i18n.svelte';
import { play } from '../lib/sounds';
import { keepScreenOn } from '../lib/wake-lock';

/** Whether the match is waiting for one of our seats. */
export function isOurTurn({ info, awaited, yours }: TableConnection): boolean {
  if (!info || info.phase !== 'playing' || info.paused !== null) return false;
  return awaited.some((seat) => yours.includes(seat));
}

/** Call while a component is set up; everything it starts ends with the component. */
export function turnAlert(connection: TableConnection): { readonly title: string } {
  const turn = $derived(isOurTurn(connection));
  let justOpened = true;

  $effect(() => {
    if (turn && !justOpened && gameNamed(connection.info!.game).hasTurns) play('yourTurn');
    justOpened = false;
  });

  $effect(() => {
    if (turn) return keepScreenOn();
  });

  return {
    get title() {
      const game = t(`page.first.${connection.info!.game}.title`);
      return turn ? t('page.table.title.yours', { game }) : t('page.title', { title: game });
    },
  };
}
