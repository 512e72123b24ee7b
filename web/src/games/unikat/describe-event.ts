/** Events in words, for screen readers and for players who looked away. */

import { t, type Fill, type Key } from '../../lib/i18n.svelte';
import type { Skin } from '../../lib/settings.svelte';
import type { Hidden, Tile, UnikatEvent } from '../../lib/wire';
import { tileName } from './appearance';
import type { NameTile } from './tile-sentence';

export interface ListenerContext {
  names: readonly string[];
  /** The listener's seat. */
  you: number | null;
  skin: Skin;
  /** How to write a tile, if not in words. */
  nameTile?: NameTile;
}

/** The sentence for an event; empty for events that only follow from another. */
export function describeEvent(event: UnikatEvent, context: ListenerContext): string {
  const { names, you, skin, nameTile = (tile) => tileName(tile, skin) } = context;
  const nameIfVisible = (tile: Tile | Hidden): string =>
    typeof tile === 'string' ? nameTile(tile) : '';
  const seatSentence = (seat: number, key: string, fill: Fill = {}): string =>
    seat === you
      ? t(`${key}.you` as Key, fill)
      : t(`${key}.name` as Key, { name: names[seat] ?? '', ...fill });
  switch (event.kind) {
    case 'round_dealt':
      return seatSentence(event.starter, 'page.unikat.told.dealt', { round: event.round });
    case 'chain_laid':
      return seatSentence(event.seat, 'page.unikat.told.laid', { n: event.tiles.length });
    case 'bonus_earned':
      return seatSentence(event.seat, 'page.unikat.told.bonus');
    case 'bonus_declined':
      return seatSentence(event.seat, 'page.unikat.told.declined');
    case 'tile_swapped': {
      const fill = { give: nameTile(event.give), take: nameIfVisible(event.take) };
      return seatSentence(event.seat, `page.unikat.told.swapped.${event.source}`, fill);
    }
    case 'tile_drawn':
      return seatSentence(event.seat, `page.unikat.told.drew.${event.source}`, {
        take: nameIfVisible(event.tile),
      });
    case 'turn_passed':
      return seatSentence(event.seat, 'page.unikat.told.passed');
    case 'turn_ended':
      return event.next === you ? t('page.unikat.told.yourTurn') : '';
    case 'match_opened':
    case 'draw_owed':
    case 'display_filled':
    case 'round_ended':
    case 'seat_ready':
    case 'match_ended':
      return '';
  }
}
