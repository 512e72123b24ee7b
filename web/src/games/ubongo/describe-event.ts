/** Events in words for screen readers, and the sounds that go with them. */

import { t } from '../../lib/i18n.svelte';
import type { Sound } from '../../lib/sounds';
import type { Gem, UbongoEvent } from '../../lib/wire';
import { rankName } from './seat-status';

/** A sentence about an event; empty if the page says it in another way. */
export function describeEvent(
  event: UbongoEvent,
  names: readonly string[],
  you: number | null,
  rounds: number,
): string {
  const name = 'seat' in event ? (names[event.seat] ?? '') : '';
  const mine = 'seat' in event && event.seat === you;
  switch (event.kind) {
    case 'card_solved':
      return mine ? t('page.ubongo.said.youSolved') : t('page.ubongo.said.solved', { name });
    case 'solution_settled': {
      const rank = rankName(event.rank);
      return mine
        ? t('page.ubongo.said.youRanked', { rank })
        : t('page.ubongo.said.ranked', { name, rank });
    }
    case 'gem_taken': {
      const gem = gemName(event.gem);
      return mine
        ? t('page.ubongo.said.yourGem', { gem })
        : t('page.ubongo.said.gem', { name, gem });
    }
    case 'seat_gave_up':
      return mine ? t('page.ubongo.said.youGaveUp') : t('page.ubongo.said.gaveUp', { name });
    case 'seat_ready':
      return mine ? '' : t('page.ubongo.said.ready', { name });
    case 'round_began':
      return t('page.ubongo.said.began');
    case 'sand_ran_out':
      return t('page.ubongo.said.sand');
    case 'second_chance_began':
      return t('page.ubongo.secondChance');
    case 'round_ended':
      return roundOverText(event.round, rounds);
    case 'tie_found':
      return t('page.ubongo.said.tie');
    default:
      return '';
  }
}

/** A round after the last one can only be the deciding one (G15). */
export const roundOverText = (round: number, rounds: number): string =>
  round > rounds ? t('page.ubongo.decidingOver') : t('page.ubongo.roundOver', { round, rounds });

export const gemName = (gem: Gem): string => t(`page.ubongo.gem.${gem}`);

const SOUNDS: Partial<Record<UbongoEvent['kind'], Sound>> = {
  round_began: 'go',
  card_solved: 'solved',
  round_ended: 'roundEnd',
  second_chance_began: 'go',
};
export const soundFor = (event: UbongoEvent): Sound | undefined => SOUNDS[event.kind];
