/** What a record says: how often, how well, how long in a row. */

import { LEVELS, type Level } from '../lib/wire';
import type { DailyPlace, PlayedMatch } from './stored-record';

export interface PlayedAndWon {
  played: number;
  won: number;
}

export const countPlayedAndWon = (matches: readonly PlayedMatch[]): PlayedAndWon => ({
  played: matches.length,
  won: matches.filter(({ won }) => won).length,
});

/** One line for each level that was played against, the weakest first; null: people. */
export function countByLevel(
  matches: readonly PlayedMatch[],
): (PlayedAndWon & { level: Level | null })[] {
  return [...LEVELS, null]
    .map((level) => ({
      level,
      ...countPlayedAndWon(matches.filter((match) => match.level === level)),
    }))
    .filter(({ played }) => played);
}

/** How many wins there have been since the last match that wasn't won. Matches are in order. */
export const winsInARow = (matches: readonly PlayedMatch[]): number =>
  matches.length - 1 - matches.findLastIndex(({ won }) => !won);

export const longestChain = (matches: readonly PlayedMatch[]): number =>
  Math.max(0, ...matches.map(({ chain }) => chain ?? 0));

/** The place that beat the largest share of all ranked; null if nobody else ever was. */
export function bestDailyPlace(dailies: readonly DailyPlace[]): DailyPlace | null {
  const shareBeaten = ({ place, ranked }: DailyPlace): number => (ranked - place) / ranked;
  const [best] = dailies
    .filter(({ ranked }) => ranked > 1)
    .sort((one, other) => shareBeaten(other) - shareBeaten(one) || other.ranked - one.ranked);
  return best ?? null;
}
