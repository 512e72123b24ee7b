/** Lengths of time in words. */

import { t } from './i18n.svelte';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
export const DAY_S = 24 * HOUR_S;

/** "90 seconds", "2 minutes", "3 days": in the largest unit that needs no fraction. */
export function describeDuration(seconds: number): string {
  if (seconds % DAY_S === 0) return t('page.lobby.span.days', { n: seconds / DAY_S });
  if (seconds % HOUR_S === 0) return t('page.lobby.span.hours', { n: seconds / HOUR_S });
  if (seconds % MINUTE_S === 0) return t('page.lobby.span.minutes', { n: seconds / MINUTE_S });
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
