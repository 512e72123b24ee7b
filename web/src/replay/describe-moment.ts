/** A moment in words: for the list of turns, and for whoever listens. */

import { t } from '../lib/i18n.svelte';
import type { Skin } from '../lib/settings.svelte';
import type { GameEvent, Sitter, UbongoEvent, UnikatEvent } from '../lib/wire';
import { clock } from '../lib/clock';
import { told as toldOfUbongo } from '../games/ubongo/describe-event';
import { told as toldOfUnikat } from '../games/unikat/describe-event';
import type { Moment } from './timeline';

interface About {
  game: 'unikat' | 'ubongo';
  names: readonly string[];
  skin: Skin;
  /** When the round began that the moment is in. */
  began: number;
}

/** After so many a round can only be the deciding one. */
const ROUNDS = 9;

export function told(moment: Moment, about: About): string {
  const text = toldOf(moment.event, about);
  return moment.standIn ? t('page.replay.stand_in', { text }) : text;
}

function toldOf(event: GameEvent, { game, names, skin, began }: About): string {
  switch (event.kind) {
    case 'match_opened':
      return t('page.replay.begin');
    case 'round_ended':
      return t('page.replay.roundOver');
    case 'match_ended':
      return t('page.replay.over');
    case 'round_began':
      return event.round > ROUNDS
        ? t('page.replay.deciding')
        : t('page.replay.round', { round: event.round });
    case 'card_solved':
      return t('page.replay.solved', {
        name: names[event.seat] ?? '',
        time: clock(Math.round((event.time - began) / 1000)),
      });
  }
  return game === 'unikat'
    ? toldOfUnikat(event as UnikatEvent, { names, you: null, skin })
    : toldOfUbongo(event as UbongoEvent, names, null);
}

/** What everyone is called: bots are counted only where there are several. */
export function namesOf(sitters: readonly Sitter[]): string[] {
  const bots = sitters.filter(({ name, level }) => !name && level);
  return sitters.map((sitter, seat) => {
    if (sitter.name) return sitter.name;
    if (!sitter.level) return t('page.pass.player', { n: seat + 1 });
    const n = bots.indexOf(sitter) + 1;
    return bots.length > 1 ? t('page.lobby.bot_number', { n }) : t('page.lobby.bot');
  });
}
