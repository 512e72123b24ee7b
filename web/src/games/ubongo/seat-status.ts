/** What each seat is doing in the round, and the text for it. */

import { t } from '../../lib/i18n.svelte';
import type { UbongoView } from '../../lib/wire';

export type SeatStatus =
  | {
      kind:
        | 'waiting'
        | 'ready'
        | 'solving'
        | 'solved'
        | 'gaveUp'
        | 'out'
        | 'unsolved'
        | 'winner'
        | 'over';
    }
  | { kind: 'ranked'; rank: number };

const PHASES_UNDER_WAY: readonly UbongoView['phase'][] = ['solving', 'second_chance'];
export const isRoundUnderWay = (view: UbongoView): boolean => PHASES_UNDER_WAY.includes(view.phase);

/** Between two rounds, with the cards of the last one still on the table. */
export const isBetweenRounds = (view: UbongoView): boolean =>
  view.phase === 'ready' && view.round > 0;

export function seatStatusInRound(view: UbongoView, seat: number): SeatStatus {
  const rank = view.settled.indexOf(seat);
  if (rank >= 0) return { kind: 'ranked', rank };
  if (!(seat in view.deals)) return { kind: 'out' };
  if (view.solutions.some((solution) => solution.seat === seat)) return { kind: 'solved' };
  if (view.gave_up.includes(seat)) return { kind: 'gaveUp' };
  return { kind: isRoundUnderWay(view) ? 'solving' : 'unsolved' };
}

/** How the round went for a seat. Nobody is solving, even while gems are still being handed out. */
export function seatStatusAfterRound(view: UbongoView, seat: number): SeatStatus {
  const is = seatStatusInRound(view, seat);
  return is.kind === 'solving' ? { kind: 'unsolved' } : is;
}

export const isSolving = (view: UbongoView, seat: number): boolean =>
  seatStatusInRound(view, seat).kind === 'solving';

export function seatStatus(view: UbongoView, seat: number): SeatStatus {
  if (view.outcome)
    return view.outcome.winners.includes(seat) ? { kind: 'winner' } : { kind: 'over' };
  if (!view.playing.includes(seat)) return { kind: 'out' };
  if (isRoundUnderWay(view)) return seatStatusInRound(view, seat);
  return { kind: view.phase === 'countdown' || view.ready.includes(seat) ? 'ready' : 'waiting' };
}

const RANK_TEXTS = [
  'page.ubongo.rank.1',
  'page.ubongo.rank.2',
  'page.ubongo.rank.3',
  'page.ubongo.rank.4',
] as const;
export const rankName = (rank: number): string => t(RANK_TEXTS[rank] ?? RANK_TEXTS[3]);

export const seatStatusText = (is: SeatStatus): string =>
  is.kind === 'ranked' ? rankName(is.rank) : t(`page.ubongo.state.${is.kind}`);

/** The same below "You", where most languages need another form of the verb. */
export function yourStatusText(is: SeatStatus): string {
  if (is.kind === 'solving' || is.kind === 'gaveUp' || is.kind === 'out')
    return t(`page.ubongo.state.you.${is.kind}`);
  return seatStatusText(is);
}
