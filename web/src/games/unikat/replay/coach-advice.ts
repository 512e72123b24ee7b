/** The coach's advice about a finished match of Unikat. */

import { call } from '../../../connection/api';
import type { Advice, CoachedTurn, Decision, Placement, UnikatAction } from '../../../lib/wire';
import type { Moment } from '../../../replay/timeline';

/** What is on the table: what was laid in the turn, what was judged better, the most that could be
 * laid, or the corners before it. */
export const COACH_VIEWS = ['laid', 'better', 'best', 'corners'] as const;
export type CoachView = (typeof COACH_VIEWS)[number];

export const fetchAdvice = (path: string): Promise<Advice> => call<Advice>('GET', `${path}/coach`);

/** A decision for which the coach knows a better one. */
export type WorseDecision = Decision & { better: NonNullable<Decision['better']> };

/** As many as the server names for all seats together. */
const MOST_MISSES = 3;

/** The turns with the biggest misses of all seats, the worst first. */
export const biggestMisses = ({ turns, misses }: Advice): CoachedTurn[] =>
  misses.flatMap((seq) => turns.find((turn) => turn.seq === seq) ?? []);

/**
 * The turns with the biggest misses of one seat, the worst first. If the coach had no time to judge
 * a turn, tiles that could have been laid count.
 */
export function biggestMissesOf({ turns }: Advice, seat: number): CoachedTurn[] {
  const isMiss = ({ decisions, lost, swing }: CoachedTurn) =>
    lost > 0 || (!decisions.length && swing > 0);
  return turns
    .filter((turn) => turn.seat === seat && isMiss(turn))
    .sort((one, other) => other.lost - one.lost || other.swing - one.swing)
    .slice(0, MOST_MISSES);
}

/** The turn that a moment belongs to. */
export function turnAt(
  { turns }: Advice,
  { seq, round }: Pick<Moment, 'seq' | 'round'>,
): CoachedTurn | null {
  const turn = turns.findLast((each) => each.seq <= seq);
  return turn?.round === round ? turn : null;
}

export const countTiles = (chains: readonly (readonly Placement[])[]): number =>
  chains.flat().length;

/** What the coach can show about a turn. */
export function coachViewsFor(turn: CoachedTurn): CoachView[] {
  const offered: Record<CoachView, boolean> = {
    laid: true,
    better: worstDecision(turn) !== null,
    best: turn.swing > 0,
    corners: turn.corners.length > 0,
  };
  return COACH_VIEWS.filter((each) => offered[each]);
}

/** What to show first: whatever mattered most. */
export const defaultView = (turn: CoachedTurn): CoachView =>
  coachViewsFor(turn).find((each) => each === 'better' || each === 'best') ?? 'laid';

/** The number of the last event before what is shown. */
export const seqBefore = (turn: CoachedTurn, shown: CoachView): number =>
  (shown === 'better' ? (worstDecision(turn)?.seq ?? turn.seq) : turn.seq) - 1;

export const toPercent = (share: number): number => Math.round(100 * share);

/** The decision of a turn that lost the most; null: none was judged worse than another. */
export function worstDecision({ decisions }: CoachedTurn): WorseDecision | null {
  const lossOf = ({ done, better }: WorseDecision) => better.value - done.value;
  const [most] = decisions
    .filter((each): each is WorseDecision => each.better !== null)
    .sort((one, other) => lossOf(other) - lossOf(one));
  return most ?? null;
}

/**
 * The chances to win, in percent, with the worst decision of a turn and with a better one. Other
 * decisions that gave something away don't count, so that all numbers of a turn agree.
 */
export function worstDecisionChances(turn: CoachedTurn): { done: number; better: number } | null {
  const worst = worstDecision(turn);
  return worst && { done: toPercent(worst.done.value), better: toPercent(worst.better.value) };
}

/** Whether the number of tiles laid matters: not if something else was the mistake. */
export const isTileCountRelevant = (turn: CoachedTurn): boolean => turn.swing > 0 || turn.lost <= 0;

/** What would have been better in a turn: the coach's choice, or else the most tiles. */
export const betterAction = (turn: CoachedTurn): UnikatAction =>
  worstDecision(turn)?.better.action ?? { kind: 'lay', tiles: turn.best.flat() };
