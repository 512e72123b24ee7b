/**
 * Tells players that it's their turn while they look elsewhere: a sound, the tab's title and icon,
 * the phone's vibration, and a notification if the page is hidden. The server notifies those who
 * don't have the page open.
 */

import { untrack } from 'svelte';
import type { TableConnection } from '../connection/table-connection.svelte';
import { findGame } from '../games/registry';
import { t } from '../lib/i18n.svelte';
import { dismissTableNotification, showTableNotification } from '../lib/table-notifications';
import { playSound } from '../lib/sounds';
import { storage } from '../lib/storage';
import { markTabIcon } from '../lib/tab-icon';
import { vibrate } from '../lib/vibration';
import { keepScreenOn } from '../lib/wake-lock';

const TURN_VIBRATION_MS = 200;

/** Whether the match is waiting for one of our seats. */
export function isOurTurn({ info, awaited, yours }: TableConnection): boolean {
  if (!info || info.phase !== 'playing' || info.paused !== null) return false;
  return awaited.some((seat) => yours.includes(seat));
}

/** Call while a component is set up; everything it starts ends with the component. */
export function alertOnTurn(connection: TableConnection): { readonly title: string } {
  const turn = $derived(isOurTurn(connection));
  let justOpened = true;

  // Once per turn, whatever else changes at the table or in the settings meanwhile.
  $effect(() => {
    if (turn && !justOpened) untrack(alertPlayer);
    justOpened = false;
  });

  function alertPlayer(): void {
    if (!findGame(connection.info!.game).hasTurns) return;
    playSound('yourTurn');
    vibrate(TURN_VIBRATION_MS);
    if (document.hidden && storage.get('notifications.wanted', false))
      void showTableNotification(connection.table, tabTitle());
  }

  // A player who sees the table no longer needs its notification.
  $effect(() => {
    const dismiss = () => {
      if (!document.hidden) void dismissTableNotification(connection.table);
    };
    dismiss();
    document.addEventListener('visibilitychange', dismiss);
    return () => document.removeEventListener('visibilitychange', dismiss);
  });

  $effect(() => {
    if (turn) return keepScreenOn();
  });

  $effect(() => {
    if (turn) return markTabIcon();
  });

  function tabTitle(): string {
    const game = t(`page.first.${connection.info!.game}.title`);
    return turn ? t('page.table.title.yours', { game }) : t('page.title', { title: game });
  }

  return {
    get title() {
      return tabTitle();
    },
  };
}
