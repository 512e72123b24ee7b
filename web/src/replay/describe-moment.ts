/** Moments of a match in words: for the list of turns and for screen readers. */

import type { EventTextContext, GameReplay } from '../games/module';
import { t } from '../lib/i18n.svelte';
import type { GameEvent, Sitter, View } from '../lib/wire';
import { botName } from '../lobby/bot-names';
import type { Moment } from './timeline';

export function describeMoment(
  moment: Moment,
  replay: GameReplay<View, GameEvent>,
  context: EventTextContext,
): string {
  const text = describeEvent(moment.event, replay, context);
  return moment.standIn ? t('page.replay.stand_in', { text }) : text;
}

function describeEvent(
  event: GameEvent,
  replay: GameReplay<View, GameEvent>,
  context: EventTextContext,
): string {
  switch (event.kind) {
    case 'match_opened':
      return t('page.replay.begin');
    case 'round_ended':
      return t('page.replay.roundOver');
    case 'match_ended':
      return t('page.replay.over');
    default:
      return replay.describe(event, context);
  }
}

/** Everyone's name. */
export function playerNames(sitters: readonly Sitter[]): string[] {
  const levels = sitters.map(({ level }) => level);
  return sitters.map(({ name, level }, seat) => {
    if (name) return name;
    return level ? botName(level, levels.slice(0, seat)) : t('page.pass.player', { n: seat + 1 });
  });
}
