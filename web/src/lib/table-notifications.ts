/**
 * Notifications that this device shows, one for each table that waits for us. The service worker
 * shows them (sw.js), and their number is the app's badge.
 */

import { basePath } from './navigation';

const serviceWorkerRegistration = (): Promise<ServiceWorkerRegistration | undefined> | undefined =>
  navigator.serviceWorker?.getRegistration(`${basePath}/`);

/** Close a table's notification, because somebody is looking at the table now. */
export async function dismissTableNotification(table: string): Promise<void> {
  try {
    const shown = (await (await serviceWorkerRegistration())?.getNotifications()) ?? [];
    const [here, elsewhere] = [true, false].map((of) =>
      shown.filter(({ tag }) => (tag === table) === of),
    );
    if (!here?.length) return;
    for (const notification of here) notification.close();
    if (elsewhere?.length) await navigator.setAppBadge?.(elsewhere.length);
    else await navigator.clearAppBadge?.();
  } catch {
    // Some browsers have notifications, but can't list them.
  }
}

/** Show a notification for a table whose page is open but hidden. */
export async function showTableNotification(table: string, title: string): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    await (
      await serviceWorkerRegistration()
    )?.showNotification(title, {
      tag: table,
      icon: `${basePath}/icon-192.png`,
      data: { table },
    });
  } catch {
    // The permission was withdrawn just now.
  }
}
