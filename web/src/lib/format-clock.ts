/** Times as a clock shows them. */

import { translations } from './i18n.svelte';

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** "0:41", "12:05". */
export const formatClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${twoDigits(Math.floor(seconds) % 60)}`;

/** With tenths: "0:41.3", or "0:41,3" where a comma stands before them. */
export function formatClockWithTenths(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const seconds = new Intl.NumberFormat(translations.locale, {
    minimumIntegerDigits: 2,
    minimumFractionDigits: 1,
  }).format((tenths % 600) / 10);
  return `${Math.floor(tenths / 600)}:${seconds}`;
}
