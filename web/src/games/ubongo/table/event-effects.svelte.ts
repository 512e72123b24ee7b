/** What is shown of events for a moment: calls of "Ubongo!", gems that fly, what a round has brought. */

import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import { play as sound } from '../../../lib/sounds';
import { announcer } from '../../../lib/announcer.svelte';
import type { Gem, Purse, UbongoEvent } from '../../../lib/wire';
import type { Flight } from './FlyingGems.svelte';
import { rankName } from '../standings';
import { soundFor, describeEvent } from '../describe-event';

const LASTS = 2600;
const APART = 450;

export class EventEffects {
  /** My own call, while there is a moment to enjoy it. */
  call: { words: string } | null = $state.raw(null);
  flights: readonly Flight[] = $state.raw([]);
  /** What each seat got in this round. */
  gained: Readonly<Record<number, readonly Gem[]>> = $state.raw({});
  #number = 0;
  #timer = 0;

  /** Gems that have not landed yet, by seat. */
  readonly flying: Readonly<Record<number, Partial<Purse>>> = $derived.by(() => {
    const found: Record<number, Partial<Purse>> = {};
    for (const { seat, gem } of this.flights)
      (found[seat] ??= {})[gem] = (found[seat][gem] ?? 0) + 1;
    return found;
  });

  hear(events: readonly UbongoEvent[], names: readonly string[], you: number | null): void {
    let after = 0;
    for (const event of events) {
      announcer.say(describeEvent(event, names, you));
      const tone = soundFor(event);
      if (tone) sound(tone);
      switch (event.kind) {
        case 'round_began':
          this.gained = {};
          this.call = null;
          break;
        case 'card_solved':
          if (event.seat === you) this.#shout('');
          break;
        case 'solution_settled':
          if (event.seat === you && this.call)
            this.#shout(t('page.ubongo.said.youRanked', { rank: rankName(event.rank) }));
          break;
        case 'gem_taken':
          this.gained = {
            ...this.gained,
            [event.seat]: [...(this.gained[event.seat] ?? []), event.gem],
          };
          if (settings.pace) {
            const from = event.source === 'bag' ? 'bag' : `display-${event.gem}`;
            const flight = { id: ++this.#number, gem: event.gem, from, seat: event.seat, after };
            this.flights = [...this.flights, flight];
            after += APART;
          }
          break;
      }
    }
  }

  landed(flight: Flight): void {
    this.flights = this.flights.filter(({ id }) => id !== flight.id);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #shout(words: string): void {
    this.call = { words };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.call = null), LASTS * Math.max(1, settings.pace));
  }
}
