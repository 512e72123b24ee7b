/** Moments of a match in words: for the list of turns and for screen readers. */

import type { DescribeContext, GameReplay } from '../games/module';
import { t } from '../lib/i18n.svelte';
import type { GameEvent, Sitter, View } from '../lib/wire';
import type { Moment } from './timeline';

export function describeMoment(
  moment: Moment,
  replay: GameReplay<View, GameEvent>,
  context: DescribeContext,
): string {
  const text = describeEvent(moment.event, replay, context);
  return moment.standIn ? t('page.replay.stand_in', { text }) : text;
}

function describeEvent(
  event: GameEvent,
  replay: GameReplay<View, GameEvent>,
  context: DescribeContext,
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

/** Everyone's name; bots are numbered only if there are several. */
export function sitterNames(sitters: readonly Sitter[]): string[] {
  const bots = sitters.filter(({ name, level }) => !name && level);
  return sitters.map((sitter, seat) => {
    if (sitter.name) return sitter.name;
    if (!sitter.level) return t('page.pass.player', { n: seat + 1 });
    const n = bots.indexOf(sitter) + 1;
    return bots.length > 1 ? t('page.lobby.bot_number', { n }) : t('page.lobby.bot');
  });
}
