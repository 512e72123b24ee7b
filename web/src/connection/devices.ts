/** Which token this browser has: a cookie that scripts can't read. */

import { call } from './api';
import { storage } from '../lib/storage';
import type { Adopted } from '../lib/wire';
import { saveRecoveryCode } from './table-storage';

const GIVEN = 'cookie.given';

/** A cookie lasts for a year: so long before that it is asked for again. */
const RENEW_AFTER_MS = 30 * 86_400_000;

let asked = false;

/** Have a cookie before anything is taken with it: then a lost answer loses nothing. */
export async function ensureCookie(): Promise<void> {
  if (asked) return;
  await call('POST', '/cookie');
  asked = true;
  storage.set(GIVEN, Date.now());
}

/** Whoever plays here now and then keeps their cookie; whoever only looks still gets none. */
export async function renewCookie(): Promise<void> {
  const given = storage.get(GIVEN, 0);
  if (given && Date.now() - given > RENEW_AFTER_MS) await ensureCookie();
}

const UNFINISHED = 'devices.ending';

/** Take everything away from every other device that has this browser's token or an older code. */
export async function endOtherDevices(): Promise<Adopted> {
  storage.set(UNFINISHED, true);
  await call('POST', '/cookie/renewal');
  return adopt();
}

/** Go on where the page was closed, or where an answer was lost. */
export async function finishEnding(): Promise<void> {
  if (storage.get(UNFINISHED, false)) await adopt();
}

async function adopt(): Promise<Adopted> {
  const adopted = await call<Adopted>('POST', '/adoption');
  for (const { table, seat, recovery } of adopted.seats) saveRecoveryCode(table, seat, recovery);
  storage.set(UNFINISHED, adopted.refused.length > 0);
  return adopted;
}
