/** This browser's token, a cookie that scripts can't read. */

import { call } from './api';
import { storage } from '../lib/storage';
import type { AdoptionResult } from '../lib/wire';
import { saveRecoveryCode } from './table-storage';

const COOKIE_RENEWED_KEY = 'cookie.given';

/** A cookie lasts for a year; it's renewed long before that. */
const RENEW_AFTER_MS = 30 * 86_400_000;

let hasCookie = false;

/** Get a cookie before anything depends on it, so that a lost answer loses nothing. */
export async function ensureCookie(): Promise<void> {
  if (hasCookie) return;
  await call('POST', '/cookie');
  hasCookie = true;
  storage.set(COOKIE_RENEWED_KEY, Date.now());
}

/** Renew the cookie of somebody who plays now and then; visitors who only look get none. */
export async function renewCookie(): Promise<void> {
  const renewedAt = storage.get(COOKIE_RENEWED_KEY, 0);
  if (renewedAt && Date.now() - renewedAt > RENEW_AFTER_MS) await ensureCookie();
}

const LOGGING_OUT_DEVICES_KEY = 'devices.ending';

/** End the access of every other device that has this browser's token or an older code. */
export async function logOutOtherDevices(): Promise<AdoptionResult> {
  storage.set(LOGGING_OUT_DEVICES_KEY, true);
  await call('POST', '/cookie/renewal');
  return moveEverythingToNewToken();
}

/** Finish a log-out that was interrupted by a closed page or a lost answer. */
export async function finishLoggingOutOtherDevices(): Promise<void> {
  if (storage.get(LOGGING_OUT_DEVICES_KEY, false)) await moveEverythingToNewToken();
}

/** When this device last sent its subscription to the server. A new token has none yet. */
export const NOTIFICATIONS_CONFIRMED_KEY = 'notifications.confirmed';

/** Move everything that the old token had to the new one. */
async function moveEverythingToNewToken(): Promise<AdoptionResult> {
  const adopted = await call<AdoptionResult>('POST', '/adoption');
  for (const { table, seat, recovery } of adopted.seats) saveRecoveryCode(table, seat, recovery);
  storage.set(LOGGING_OUT_DEVICES_KEY, adopted.refused.length > 0);
  storage.set(NOTIFICATIONS_CONFIRMED_KEY, 0);
  return adopted;
}
