/** A player at Ubongo's table: what is shown, their card, and what they can do. */

import { createContext, untrack } from 'svelte';
import { serverClock, runAt } from '../../../connection/server-clock';
import { Flights } from '../../../lib/flights.svelte';
import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import { playSound } from '../../../lib/sounds';
import { toasts } from '../../../lib/toasts.svelte';
import type { Gem, Purse, UbongoAction, UbongoView } from '../../../lib/wire';
import type { TableSession } from '../../../table/session';
import { RemotePuzzle } from '../solve/puzzle-state.svelte';
import { isSolving, isRoundUnderWay } from '../seat-status';
import { Playback, type PlaybackHost } from './playback.svelte';
import type { PlayableUbongoMatch, UbongoTableProps } from './table-props';

export const [getSession, setSession] = createContext<UbongoSession>();

interface FlyingGem {
  gem: Gem;
  seat: number;
}

export class UbongoSession implements TableSession {
  /** The element that contains the table, for gems to fly from and to. */
  root: HTMLElement | undefined = $state();
  /** The seat whose card the player wants to watch. */
  wantedSeat: number | null = $state(null);
  readonly flights = new Flights<FlyingGem>();
  readonly playback: Playback;
  readonly #props: () => UbongoTableProps;
  #resumedAt: number | null = $state(null);

  constructor(props: () => UbongoTableProps) {
    this.#props = props;
    this.playback = new Playback(this.newest, this.#createPlaybackHost());
  }

  readonly client: PlayableUbongoMatch = $derived.by(() => this.#props().client);
  readonly names = $derived.by(() => this.#props().names);
  readonly spectator = $derived.by(() => this.#props().spectator ?? false);
  readonly passAndPlay = $derived.by(() => this.#props().passAndPlay ?? false);
  /** All that is known, including what can be done now. */
  readonly newest: UbongoView = $derived.by(() => this.client.view);
  /**
   * What is shown: the newest view, or a moment that led to it, with the pieces where they are now.
   */
  readonly view: UbongoView = $derived.by(() => {
    const { held } = this.playback;
    return held ? { ...held, placed: this.newest.placed } : this.newest;
  });
  /** Our own seat; null for a spectator. */
  readonly you = $derived.by(() => (this.spectator ? null : this.client.seat));
  /** When the table was paused; null: it isn't. */
  readonly pausedAt = $derived.by(() => this.client.info?.paused ?? null);
  /** When everyone goes on after a pause; null: they already do. */
  readonly resumesAt = $derived.by(() => {
    const { resumes } = this.newest;
    const isAhead = resumes !== null && resumes > serverClock.now();
    return isAhead && resumes !== this.#resumedAt ? resumes : null;
  });
  /** When the sand was stopped: by a pause, or by an end of the round that isn't shown yet. */
  readonly sandStoppedAt = $derived.by(() => {
    const hasEnded = isRoundUnderWay(this.view) && !isRoundUnderWay(this.newest);
    return this.pausedAt ?? this.resumesAt ?? (hasEnded ? this.playback.endedAt : null);
  });
  readonly roundTitle = $derived.by(() =>
    this.view.deciding
      ? t('page.ubongo.deciding')
      : t('page.ubongo.round', {
          round: Math.max(1, this.view.round),
          rounds: this.view.options.rounds,
        }),
  );

  /** Changes with every card: what was done on the last one means nothing on the next. */
  readonly dealKey = $derived.by(() => {
    const deal = this.you === null ? undefined : this.view.deals[this.you];
    return deal ? `${this.view.round} ${this.you} ${deal.card}` : '';
  });
  // Not created anew with every view: that would lose unconfirmed steps.
  readonly puzzle = $derived.by(() => (this.dealKey ? untrack(() => this.#openPuzzle()) : null));

  /** Whether we're at our card: solving it, or enjoying that it's solved. */
  readonly solving = $derived.by(
    () => isRoundUnderWay(this.view) && (this.view.choices.solve || this.playback.isOurMoment),
  );
  readonly watching = $derived.by(() => isRoundUnderWay(this.view) && !this.solving);
  /** Whose card is watched: the caller's, the wanted one, or the first that isn't done yet. */
  readonly watchedSeat = $derived.by(() => {
    const { deals, playing, settled, gave_up } = this.view;
    const seat = this.playback.call?.seat ?? this.wantedSeat;
    if (seat !== null && seat in deals) return seat;
    const unfinished = playing.find((seat) => !settled.includes(seat) && !gave_up.includes(seat));
    return unfinished ?? playing[0]!;
  });

  /** Whether only bots are still solving, and we needn't wait for them. */
  readonly canSkip = $derived.by(() => {
    const { info } = this.client;
    if (!this.client.skipBots || !info || this.you === null) return false;
    if (this.pausedAt !== null || this.resumesAt !== null) return false;
    const solving = this.newest.playing.filter((seat) => isSolving(this.newest, seat));
    return solving.length > 0 && solving.every((seat) => info.chairs[seat]?.kind === 'bot');
  });

  /** Gems that haven't landed yet, by seat. */
  readonly flying: Readonly<Record<number, Partial<Purse>>> = $derived.by(() => {
    const counts: Record<number, Partial<Purse>> = {};
    for (const { item } of this.flights.inTheAir)
      (counts[item.seat] ??= {})[item.gem] = (counts[item.seat]![item.gem] ?? 0) + 1;
    return counts;
  });

  start(): () => void {
    const stop = this.client.listenToEvents((events) => {
      void this.playback.add(events, this.client.view);
      if (events.some(({ kind }) => kind === 'round_began')) this.wantedSeat = null;
    });
    return () => {
      stop();
      this.playback.close();
    };
  }

  /** Go on when the countdown after a pause is over. Returns a function that stops waiting. */
  resumeAfterCountdown(): (() => void) | undefined {
    const at = this.resumesAt;
    return at === null ? undefined : runAt(at, () => (this.#resumedAt = at));
  }

  send(action: UbongoAction): void {
    this.client.act(action).catch((error: unknown) => toasts.error(error));
  }

  /** Skip ahead to what the bots would do next. */
  skipBots(): void {
    this.client.skipBots?.().catch((error: unknown) => toasts.error(error));
  }

  #createPlaybackHost(): PlaybackHost {
    const names = () => this.names;
    const you = () => this.you;
    return {
      get names() {
        return names();
      },
      get you() {
        return you();
      },
      flyGem: ({ gem, seat, source }, { durationMs, delayMs }) => {
        const place = (name: string) =>
          this.root?.querySelector(`[data-place="${name}"]`)?.getBoundingClientRect();
        const from = place(source === 'bag' ? 'bag' : `display-${gem}`);
        const to = place(`seat-${seat}`);
        if (!from || !to) return;
        const { durationScale } = settings;
        const timing = {
          durationMs: durationMs * durationScale,
          delayMs: delayMs * durationScale,
          arc: true,
        };
        void this.flights.fly({ gem, seat }, from, to, timing).then(() => playSound('gem'));
      },
    };
  }

  #openPuzzle(): RemotePuzzle {
    const seat = this.you!;
    const current = () => this.client.view;
    const isPaused = () => this.pausedAt !== null || this.resumesAt !== null;
    return new RemotePuzzle({
      deal: current().deals[seat]!,
      get placed() {
        return current().placed[seat] ?? {};
      },
      get active() {
        return current().choices.solve && !isPaused();
      },
      place: (piece, cells) => this.client.act({ kind: 'place', piece, cells }),
      lift: (piece) => this.client.act({ kind: 'lift', piece }),
      onRefused: (error) => {
        playSound('wrong');
        toasts.error(error);
      },
    });
  }
}
