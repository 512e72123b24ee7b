/** Times as a clock shows them. */

const two = (n: number): string => String(n).padStart(2, '0');

/** "0:41", "12:05". */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${two(Math.floor(seconds) % 60)}`;

/** With tenths: "0:41.3". */
export const exact = (ms: number): string => `${clock(ms / 1000)}.${Math.floor((ms % 1000) / 100)}`;
