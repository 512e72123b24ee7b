/** How everyone stands at the end of a match. */

import { t } from '../../lib/i18n.svelte';
import type { UbongoView } from '../../lib/wire';

/** Winners come first, including those of a deciding round. */
export function seatsBestFirst({
  players,
  points,
  outcome,
}: Pick<UbongoView, 'players' | 'points' | 'outcome'>): number[] {
  const winners = outcome?.winners ?? [];
  return Array.from({ length: players }, (_, seat) => seat).sort(
    (one, two) =>
      Number(winners.includes(two)) - Number(winners.includes(one)) || points[two]! - points[one]!,
  );
}

export const standings = (view: UbongoView) =>
  seatsBestFirst(view).map((seat) => ({
    seat,
    score: t('page.ubongo.points', { n: view.points[seat] ?? 0 }),
  }));
