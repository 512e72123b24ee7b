/**
 * The score sheet of a match of Unikat that is played with the box, and who begins. The numbers are
 * those of docs/spec/unikat.md.
 */

import type { Row, UnikatOptions } from '../../../lib/wire';
import { oneOf, type Chance } from '../../../companion/chance';

/** The most tiles that a hand can have (U13). */
export const MOST_LEFT = 10;
export const MOST_ROUNDS = 20;

export type NextStarter = UnikatOptions['next_starter'];

export interface Unikat {
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

export interface Agreed {
  rounds: number;
  /** null: drawn (U4). */
  starter: number | null;
  nextStarter: NextStarter;
}

export const newMatch = (
  names: readonly string[],
  { rounds, starter, nextStarter }: Agreed,
  chance: Chance = Math.random,
): Unikat => ({
  names,
  rounds,
  starter: starter ?? oneOf([...names.keys()], chance),
  nextStarter,
  rows: [],
  entry: null,
});

export const isOver = ({ rows, rounds }: Unikat): boolean => rows.length >= rounds;

export const openEntry = (match: Unikat): Unikat => ({
  ...match,
  entry: match.names.map(() => null),
});

export const closeEntry = (match: Unikat): Unikat => ({ ...match, entry: null });

export const enterTilesLeft = (match: Unikat, seat: number, left: number): Unikat => ({
  ...match,
  entry: match.entry?.map((each, at) => (at === seat ? left : each)) ?? null,
});

/** Why an entry can't be written down. */
export type Flaw = 'missing' | 'twoOut';

export function entryFlaw({ entry }: Unikat): Flaw | null {
  // Laying the last tile ends the round at once (U15), so only one player can have none.
  if ((entry?.filter((left) => left === 0).length ?? 0) > 1) return 'twoOut';
  return entry?.every((left) => left !== null) ? null : 'missing';
}

export const writeDown = (match: Unikat): Unikat =>
  entryFlaw(match)
    ? match
    : { ...match, rows: [...match.rows, match.entry as readonly number[]], entry: null };

export const addRound = (match: Unikat): Unikat => ({ ...match, rounds: match.rounds + 1 });

const fewest = (numbers: readonly number[]): number[] => {
  const least = Math.min(...numbers);
  return [...numbers.keys()].filter((seat) => numbers[seat] === least);
};

/** The rounds as the score sheet shows them: a minus point for each tile left (U16, U17). */
export const sheet = ({ rows }: Unikat): Row[] =>
  rows.map((left) => ({ points: [...left], winners: fewest(left) }));

export const totals = ({ names, rows }: Unikat): number[] =>
  names.map((_, seat) => rows.reduce((sum, left) => sum + left[seat]!, 0));

/** The players with the fewest minus points; nobody before the first round is over. */
export const leaders = (match: Unikat): number[] =>
  match.rows.length ? fewest(totals(match)) : [];

/** Who begins the round that is being played (U4). */
export function starter(match: Unikat): number {
  const { names, rows, nextStarter } = match;
  const after = (seat: number): number => (seat + 1) % names.length;
  return rows.reduce((last, left) => {
    if (nextStarter === 'same') return last;
    const may = nextStarter === 'rotate' ? [...names.keys()] : fewest(left);
    // Of several, the nearest clockwise from the last starter, who comes last.
    let seat = after(last);
    while (!may.includes(seat)) seat = after(seat);
    return seat;
  }, match.starter);
}
