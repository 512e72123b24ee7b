/** Replaying a match of Ubongo, at the pace it was played. */

import { formatClock } from '../../../lib/format-clock';
import { t } from '../../../lib/i18n.svelte';
import type { UbongoEvent } from '../../../lib/wire';
import type { Moment } from '../../../replay/timeline';
import type { EventTextContext, GameReplay } from '../../module';
import { describeEvent } from '../describe-event';

export { default as ReplayTable } from './ReplayTable.svelte';

const SHORTEST_MOMENT_MS = 250;
const LONGEST_MOMENT_MS = 2000;

export const timeline: GameReplay<never, UbongoEvent>['timeline'] = {
  roundStart: 'round_began',
  listed: ['card_solved', 'seat_gave_up', 'second_chance_began'],
  shown: ['piece_placed', 'piece_lifted', 'solution_settled', 'sand_ran_out'],
  shift: 'clocks_shifted',
};

export const inTurns = false;

export function describe(
  event: UbongoEvent,
  { names, roundBegan, options }: EventTextContext,
): string {
  switch (event.kind) {
    case 'round_began':
      return event.round > options.rounds
        ? t('page.replay.deciding')
        : t('page.replay.round', { round: event.round });
    case 'card_solved':
      return t('page.replay.solved', {
        name: names[event.seat] ?? '',
        time: formatClock(Math.round((event.time - roundBegan) / 1000)),
      });
    default:
      return describeEvent(event, names, null, options.rounds);
  }
}

export const momentDurationMs = (moment: Moment, next: Moment): number =>
  Math.min(LONGEST_MOMENT_MS, Math.max(SHORTEST_MOMENT_MS, next.at - moment.at));
