/**
 * Notifications that this device shows, one for each table that waits for us. The service worker
 * shows them (sw.js), and their number is the app's badge.
 */

import { base } from './navigation';

const registration = (): Promise<ServiceWorkerRegistration | undefined> | undefined =>
  navigator.serviceWorker?.getRegistration(`${base}/`);

/** Take back a table's notification, for whoever looks at the table now. */
export async function dismissNotice(table: string): Promise<void> {
  try {
    const shown = (await (await registration())?.getNotifications()) ?? [];
    const [here, elsewhere] = [true, false].map((of) =>
      shown.filter(({ tag }) => (tag === table) === of),
    );
    if (!here?.length) return;
    for (const notification of here) notification.close();
    if (elsewhere?.length) await navigator.setAppBadge?.(elsewhere.length);
    else await navigator.clearAppBadge?.();
  } catch {
    // Some browsers have notifications and no list of them.
  }
}

/** Show a notification for a table whose page is open but hidden. */
export async function showNotice(table: string, title: string): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    await (
      await registration()
    )?.showNotification(title, {
      tag: table,
      icon: `${base}/icon-192.png`,
      data: { table },
    });
  } catch {
    // The permission was withdrawn just now.
  }
}
