/** What events show for a moment: "Ubongo!", flying gems, and what the round has brought. */

import { announcer } from '../../../lib/announcer.svelte';
import { Flights } from '../../../lib/flights.svelte';
import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import { play as playSound } from '../../../lib/sounds';
import type { Gem, Purse, UbongoEvent } from '../../../lib/wire';
import { describeEvent, soundFor } from '../describe-event';
import { rankName } from '../seat-status';

const CELEBRATION_MS = 2600;
const FLIGHT_MS = 900;
/** Between two gems that fly to the same player. */
const GEM_DELAY_MS = 450;

interface FlyingGem {
  gem: Gem;
  seat: number;
}

export class EventEffects {
  /** Our own success, while there is a moment to enjoy it. */
  celebration: { words: string } | null = $state.raw(null);
  /** What each seat has got in this round. */
  gained: Readonly<Record<number, readonly Gem[]>> = $state.raw({});
  readonly flights = new Flights<FlyingGem>();
  readonly #root: () => HTMLElement | undefined;
  #timer = 0;

  constructor(root: () => HTMLElement | undefined) {
    this.#root = root;
  }

  /** Gems that haven't landed yet, by seat. */
  readonly flying: Readonly<Record<number, Partial<Purse>>> = $derived.by(() => {
    const counts: Record<number, Partial<Purse>> = {};
    for (const { item } of this.flights.inTheAir)
      (counts[item.seat] ??= {})[item.gem] = (counts[item.seat]![item.gem] ?? 0) + 1;
    return counts;
  });

  show(events: readonly UbongoEvent[], names: readonly string[], you: number | null): void {
    let gems = 0;
    for (const event of events) {
      announcer.say(describeEvent(event, names, you));
      const sound = soundFor(event);
      if (sound) playSound(sound);
      switch (event.kind) {
        case 'round_began':
          this.gained = {};
          this.celebration = null;
          break;
        case 'card_solved':
          if (event.seat === you) this.#celebrate('');
          break;
        case 'solution_settled':
          if (event.seat === you && this.celebration)
            this.#celebrate(t('page.ubongo.said.youRanked', { rank: rankName(event.rank) }));
          break;
        case 'gem_taken': {
          const { gem, seat } = event;
          this.gained = { ...this.gained, [seat]: [...(this.gained[seat] ?? []), gem] };
          const from = event.source === 'bag' ? 'bag' : `display-${gem}`;
          void this.#flyGem({ gem, seat }, from, GEM_DELAY_MS * gems++);
          break;
        }
      }
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #flyGem(item: FlyingGem, from: string, delayMs: number): Promise<void> {
    const place = (name: string) =>
      this.#root()?.querySelector(`[data-place="${name}"]`)?.getBoundingClientRect();
    const [start, end] = [place(from), place(`seat-${item.seat}`)];
    const { pace } = settings;
    if (!start || !end || !pace) return;
    const timing = { durationMs: FLIGHT_MS * pace, delayMs: delayMs * pace };
    await this.flights.fly(item, start, end, { ...timing, arc: true });
    playSound('gem');
  }

  #celebrate(words: string): void {
    this.celebration = { words };
    clearTimeout(this.#timer);
    const ms = CELEBRATION_MS * Math.max(1, settings.pace);
    this.#timer = window.setTimeout(() => (this.celebration = null), ms);
  }
}
