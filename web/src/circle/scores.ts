/** Who has won how often in a circle, and its records, from what the server has counted. */

import { t } from '../lib/i18n.svelte';
import type { CircleInfo, CircleScore, CircleSeat, GameName } from '../lib/wire';
import { botName } from '../lobby/bot-names';

export const ALL_TIME = '';

/** All time, and then the seasons, newest first. */
export const seasonsOf = (scores: readonly CircleScore[]): string[] => [
  ALL_TIME,
  ...[...new Set(scores.map(({ season }) => season))].filter(Boolean).sort().reverse(),
];

/** A quarter of a year in words: "Oct – Dec 2026". */
export function formatSeason(season: string, locale: string): string {
  const [year = 0, quarter = 1] = season.split('-').map(Number);
  const month = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const format = new Intl.DateTimeFormat(locale, month);
  return format.formatRange(Date.UTC(year, 3 * quarter - 3), Date.UTC(year, 3 * quarter - 1));
}

const scoresInSeason = (
  scores: readonly CircleScore[],
  season: string,
  game: GameName,
): readonly CircleScore[] =>
  scores.filter((score) => score.season === season && score.game === game);

/** The most wins first; ties go to whoever needed fewer games. */
export const standings = (
  scores: readonly CircleScore[],
  season: string,
  game: GameName,
): CircleScore[] =>
  [...scoresInSeason(scores, season, game)].sort(
    (one, other) => other.won - one.won || one.played - other.played || one.member - other.member,
  );

export interface CircleRecord {
  kind: 'streak' | 'margin';
  value: number;
  /** Everyone who holds it. */
  members: readonly number[];
}

/** A single win is not a streak. */
const LEAST_RECORD_VALUES = { streak: 2, margin: 1 } as const;

export function records(
  scores: readonly CircleScore[],
  season: string,
  game: GameName,
): CircleRecord[] {
  const found = scoresInSeason(scores, season, game);
  const values = { streak: 'longest', margin: 'margin' } as const;
  return (['streak', 'margin'] as const).flatMap((kind) => {
    const value = Math.max(0, ...found.map((score) => score[values[kind]]));
    if (value < LEAST_RECORD_VALUES[kind]) return [];
    const best = found.filter((score) => score[values[kind]] === value);
    return [{ kind, value, members: best.map(({ member }) => member) }];
  });
}

/** What a member is called. They may have left since, or had their name removed. */
export function memberName({ members }: CircleInfo, number: number): string {
  const member = members.find(({ id }) => id === number);
  if (!member) return t('page.circle.former');
  return member.name || t('page.circle.nameless', { n: number });
}

/** Who had a seat. No names of guests are kept. */
export function seatOwnerName(circle: CircleInfo, { member, bot }: CircleSeat): string {
  if (member !== null) return memberName(circle, member);
  return bot ? botName(bot) : t('page.lobby.guest');
}
