/** Days as the server writes them: "2026-11-16", in UTC. */

const DAY_MS = 24 * 60 * 60 * 1000;

const noonOf = (day: string): number => Date.parse(`${day}T12:00:00Z`);

/** The day on which a moment falls. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

export const addDays = (day: string, n: number): string => dayOf(noonOf(day) + n * DAY_MS);

export const dayBefore = (day: string): string => addDays(day, -1);

/** The moment at which the puzzle after a day's comes. */
export const nextPuzzleAt = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS;

export const DAY_AND_MONTH = { day: 'numeric', month: 'long' } as const;

/** A day in words, or a part of it, such as its weekday. */
export const formatDay = (
  day: string,
  locale: string,
  parts: Intl.DateTimeFormatOptions = { weekday: 'long', ...DAY_AND_MONTH },
): string => new Date(noonOf(day)).toLocaleDateString(locale, { ...parts, timeZone: 'UTC' });

/** Whole weeks from Monday to Sunday; today is in the last of them. */
export function lastWeeks(today: string, count: number): readonly (readonly string[])[] {
  const sinceMonday = (new Date(noonOf(today)).getUTCDay() + 6) % 7;
  const first = addDays(today, -sinceMonday - 7 * (count - 1));
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => addDays(first, 7 * week + weekday)),
  );
}
