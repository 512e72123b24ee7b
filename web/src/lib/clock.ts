/** Times as a clock shows them. */

const two = (n: number): string => String(n).padStart(2, '0');

/** "0:41", "12:05". */
export const formatClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${two(Math.floor(seconds) % 60)}`;

/** With tenths: "0:41.3". */
export const formatTenths = (ms: number): string =>
  `${formatClock(ms / 1000)}.${Math.floor((ms % 1000) / 100)}`;
