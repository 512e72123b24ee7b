/** Which token this browser has: a cookie that scripts can't read. */

import { call } from '../lib/api';
import { store, stored } from '../lib/stored';
import type { Adopted } from '../lib/wire';
import { keepCode } from './kept';

let asked = false;

/** Have a cookie before anything is taken with it: then a lost answer loses nothing. */
export async function haveCookie(): Promise<void> {
  if (asked) return;
  await call('POST', '/cookie');
  asked = true;
}

const UNFINISHED = 'devices.ending';

/** Take everything away from every other device that has this browser's token or an older code. */
export async function endOtherDevices(): Promise<Adopted> {
  store(UNFINISHED, true);
  await call('POST', '/cookie/renewal');
  return adopt();
}

/** Go on where the page was closed, or where an answer was lost. */
export async function finishEnding(): Promise<void> {
  if (stored(UNFINISHED, false)) await adopt();
}

async function adopt(): Promise<Adopted> {
  const adopted = await call<Adopted>('POST', '/adoption');
  for (const { table, seat, recovery } of adopted.seats) keepCode(table, seat, recovery);
  store(UNFINISHED, adopted.refused.length > 0);
  return adopted;
}
