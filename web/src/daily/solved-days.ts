/** The days whose puzzle was solved in this browser: there are no accounts, so no server knows. */

import { storage } from '../lib/storage';
import type { GameName } from '../lib/wire';
import { dayBefore } from './days';

/** More than a year, so that a long streak isn't cut. */
const MOST_DAYS_KEPT = 400;

const storageKey = (game: GameName): string => `daily.solved.${game}`;

export const loadSolvedDays = (game: GameName): ReadonlySet<string> =>
  new Set(storage.get<readonly string[]>(storageKey(game), []));

export function markSolved(game: GameName, ...days: readonly string[]): void {
  const all = new Set([...loadSolvedDays(game), ...days]);
  storage.set(storageKey(game), [...all].sort().slice(-MOST_DAYS_KEPT));
}

/** How many days in a row, up to today; today may still be solved. */
export function streakOf(days: ReadonlySet<string>, today: string): number {
  let day = days.has(today) ? today : dayBefore(today);
  let streak = 0;
  while (days.has(day)) {
    streak += 1;
    day = dayBefore(day);
  }
  return streak;
}
