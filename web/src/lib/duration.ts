/** Lengths of time in words. */

import { t } from './i18n.svelte';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** "90 seconds", "2 minutes", "3 days": in the largest unit that needs no fraction. */
export function describeDuration(seconds: number): string {
  if (seconds % DAY === 0) return t('page.lobby.span.days', { n: seconds / DAY });
  if (seconds % HOUR === 0) return t('page.lobby.span.hours', { n: seconds / HOUR });
  if (seconds % MINUTE === 0) return t('page.lobby.span.minutes', { n: seconds / MINUTE });
  return t('page.lobby.span.seconds', { n: seconds });
}

/** Durations to choose from: the usual ones, and whatever is set now. */
export const durationChoices = (
  usual: readonly number[],
  current: number | null,
): { value: number | null; text: string }[] =>
  [...new Set([...usual, ...(current === null ? [] : [current])])]
    .sort((one, other) => one - other)
    .map((value) => ({ value, text: describeDuration(value) }));
