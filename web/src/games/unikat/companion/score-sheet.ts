/**
 * The score sheet of a match of Unikat that is played with the box, and who begins. Rule numbers
 * refer to docs/spec/unikat.md.
 */

import type { Row, UnikatOptions } from '../../../lib/wire';
import { pickRandom, type Chance } from '../../../companion/chance';

/** The most tiles that a hand can have (U13). */
export const MOST_TILES_LEFT = 10;
export const MOST_ROUNDS = 20;

export type NextStarter = UnikatOptions['next_starter'];

export interface ScoredMatch {
  names: readonly string[];
  rounds: number;
  /** Who begins the first round. */
  starter: number;
  nextStarter: NextStarter;
  /** How many tiles each player had left, round by round. */
  rows: readonly (readonly number[])[];
  /** The entry for the round that has just ended; null: the round is being played. */
  entry: readonly (number | null)[] | null;
}

export interface MatchSetup {
  rounds: number;
  /** null: drawn (U4). */
  starter: number | null;
  nextStarter: NextStarter;
}

export const newMatch = (
  names: readonly string[],
  { rounds, starter, nextStarter }: MatchSetup,
  chance: Chance = Math.random,
): ScoredMatch => ({
  names,
  rounds,
  starter: starter ?? pickRandom([...names.keys()], chance),
  nextStarter,
  rows: [],
  entry: null,
});

export const isOver = ({ rows, rounds }: ScoredMatch): boolean => rows.length >= rounds;

export const openEntry = (match: ScoredMatch): ScoredMatch => ({
  ...match,
  entry: match.names.map(() => null),
});

export const closeEntry = (match: ScoredMatch): ScoredMatch => ({ ...match, entry: null });

export const enterTilesLeft = (match: ScoredMatch, seat: number, left: number): ScoredMatch => ({
  ...match,
  entry: match.entry?.map((each, at) => (at === seat ? left : each)) ?? null,
});

/** Why an entry can't be saved. */
export type EntryFlaw = 'missing' | 'twoOut';

export function entryFlaw({ entry }: ScoredMatch): EntryFlaw | null {
  // Laying the last tile ends the round at once (U15), so only one player can have none.
  if ((entry?.filter((left) => left === 0).length ?? 0) > 1) return 'twoOut';
  return entry?.every((left) => left !== null) ? null : 'missing';
}

export const saveRound = (match: ScoredMatch): ScoredMatch =>
  entryFlaw(match)
    ? match
    : { ...match, rows: [...match.rows, match.entry as readonly number[]], entry: null };

export const addRound = (match: ScoredMatch): ScoredMatch => ({
  ...match,
  rounds: match.rounds + 1,
});

const seatsWithFewest = (numbers: readonly number[]): number[] => {
  const least = Math.min(...numbers);
  return [...numbers.keys()].filter((seat) => numbers[seat] === least);
};

/** The rounds as the score sheet shows them: a minus point for each tile left (U16, U17). */
export const sheetRows = ({ rows }: ScoredMatch): Row[] =>
  rows.map((left) => ({ points: [...left], winners: seatsWithFewest(left) }));

export const totalMinusPoints = ({ names, rows }: ScoredMatch): number[] =>
  names.map((_, seat) => rows.reduce((sum, left) => sum + left[seat]!, 0));

/** The players with the fewest minus points; nobody before the first round is over. */
export const leaders = (match: ScoredMatch): number[] =>
  match.rows.length ? seatsWithFewest(totalMinusPoints(match)) : [];

/** Who begins the round that is being played (U4). */
export function currentStarter(match: ScoredMatch): number {
  const { names, rows, nextStarter } = match;
  const after = (seat: number): number => (seat + 1) % names.length;
  return rows.reduce((last, left) => {
    if (nextStarter === 'same') return last;
    const may = nextStarter === 'rotate' ? [...names.keys()] : seatsWithFewest(left);
    // Of several, the nearest clockwise from the last starter, who comes last.
    let seat = after(last);
    while (!may.includes(seat)) seat = after(seat);
    return seat;
  }, match.starter);
}
