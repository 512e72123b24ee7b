/** A player at Ubongo's table: what is shown, their card, and what they can do. */

import { createContext } from 'svelte';
import { t } from '../../../lib/i18n.svelte';
import { play as playSound } from '../../../lib/sounds';
import { toasts } from '../../../lib/toasts.svelte';
import type { UbongoAction, UbongoView } from '../../../lib/wire';
import type { TableSession } from '../../../table/session';
import { RemotePuzzle } from '../solve/puzzle-state.svelte';
import { isUnderWay } from '../seat-status';
import { EventEffects } from './event-effects.svelte';
import type { UbongoPlay, UbongoTableProps } from './table-props';

export const [getSession, setSession] = createContext<UbongoSession>();

export class UbongoSession implements TableSession {
  readonly effects: EventEffects = new EventEffects(() => this.root);
  /** The element that contains the table, for gems to fly from and to. */
  root: HTMLElement | undefined = $state();
  /** The seat whose card somebody wants to watch. */
  wantedSeat: number | null = $state(null);
  readonly #props: () => UbongoTableProps;

  constructor(props: () => UbongoTableProps) {
    this.#props = props;
  }

  readonly play: UbongoPlay = $derived.by(() => this.#props().play);
  readonly names = $derived.by(() => this.#props().names);
  readonly spectator = $derived.by(() => this.#props().spectator ?? false);
  readonly view: UbongoView = $derived.by(() => this.play.view);
  /** Our own seat; null for a spectator. */
  readonly you = $derived.by(() => (this.spectator ? null : this.play.seat));
  /** When the table was paused; null: it isn't. */
  readonly pausedAt = $derived.by(() => this.play.info?.paused ?? null);
  readonly roundTitle = $derived.by(() =>
    this.view.deciding
      ? t('page.ubongo.deciding')
      : t('page.ubongo.round', { round: Math.max(1, this.view.round) }),
  );

  /** Changes with every card: what was done on the last one means nothing on the next. */
  readonly dealKey = $derived.by(() => {
    const deal = this.you === null ? undefined : this.view.deals[this.you];
    return deal ? `${this.view.round} ${deal.card}` : '';
  });
  readonly puzzle = $derived.by(() => (this.dealKey ? this.#openPuzzle() : null));

  /** At our card: solving it, or enjoying that it's solved. */
  readonly solving = $derived.by(
    () => isUnderWay(this.view) && (this.view.choices.solve || this.effects.celebration !== null),
  );
  readonly watching = $derived.by(() => isUnderWay(this.view) && !this.solving);
  /** Whose card is watched: the wanted one, or the first that isn't done yet. */
  readonly watchedSeat = $derived.by(() => {
    const { deals, playing, settled, gave_up } = this.view;
    if (this.wantedSeat !== null && this.wantedSeat in deals) return this.wantedSeat;
    const unfinished = playing.find((seat) => !settled.includes(seat) && !gave_up.includes(seat));
    return unfinished ?? playing[0]!;
  });

  start(): () => void {
    const stop = this.play.onEvents((events) => {
      this.effects.show(events, this.names, this.you);
      if (events.some(({ kind }) => kind === 'round_began')) this.wantedSeat = null;
    });
    return () => {
      stop();
      this.effects.close();
    };
  }

  send(action: UbongoAction): void {
    this.play.act(action).catch((error: unknown) => toasts.error(error));
  }

  #openPuzzle(): RemotePuzzle {
    const seat = this.you!;
    const current = () => this.play.view;
    const isPaused = () => this.pausedAt !== null;
    return new RemotePuzzle({
      deal: current().deals[seat]!,
      get placed() {
        return current().placed[seat] ?? {};
      },
      get active() {
        return current().choices.solve && !isPaused();
      },
      place: (piece, cells) => this.play.act({ kind: 'place', piece, cells }),
      lift: (piece) => this.play.act({ kind: 'lift', piece }),
      onRefused: (error) => {
        playSound('wrong');
        toasts.error(error);
      },
    });
  }
}
