/** How everyone stands after a round or a match. */

import { t } from '../../lib/i18n.svelte';
import type { UnikatView } from '../../lib/wire';

export const tilesLeft = ({ hands, counts }: UnikatView, seat: number): number =>
  hands[seat]?.length ?? counts[seat] ?? 0;

/** Minus points of all rounds so far (U17). */
export const minusPointsOf = ({ sheet }: UnikatView, seat: number): number =>
  sheet.reduce((sum, { points }) => sum + (points[seat] ?? 0), 0);

export const formatMinusPoints = (total: number): string => (total ? `−${total}` : '0');

/** Winners come first: of the round, or at the end of the match. */
export function seatsBestFirst(view: UnikatView): number[] {
  const { outcome, options, players } = view;
  const winners = outcome?.winners ?? view.winners;
  const sortKey = (seat: number): number =>
    outcome && options.rounds > 1
      ? minusPointsOf(view, seat)
      : tilesLeft(view, seat) - Number(winners.includes(seat));
  return Array.from({ length: players }, (_, seat) => seat).sort(
    (one, other) => sortKey(one) - sortKey(other),
  );
}

export const standings = (view: UnikatView) =>
  seatsBestFirst(view).map((seat) => ({
    seat,
    score:
      view.options.rounds > 1
        ? formatMinusPoints(minusPointsOf(view, seat))
        : t('page.unikat.over.left', { n: tilesLeft(view, seat) }),
  }));
