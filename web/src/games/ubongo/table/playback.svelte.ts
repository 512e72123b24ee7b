/**
 * The moments of a round, one after the other: a call, its gems, the end of the round, the end of
 * the match. The server sends them all at once, so what is shown may be a little behind what is
 * known; but never for a player who can solve, and never into the next round.
 */

import { announcer } from '../../../lib/announcer.svelte';
import { settings } from '../../../lib/settings.svelte';
import { playSound } from '../../../lib/sounds';
import type { Gem, UbongoEvent, UbongoGemTaken, UbongoView } from '../../../lib/wire';
import { describeEvent, soundFor } from '../describe-event';
import { isRoundUnderWay } from '../seat-status';
import { applyEvent } from './apply-event';

export interface PlaybackHost {
  readonly names: readonly string[];
  /** Our own seat; null for a spectator. */
  readonly you: number | null;
  /** Let a gem fly to a seat. */
  flyGem(taken: UbongoGemTaken, timing: { durationMs: number; delayMs: number }): void;
}

/** Somebody's "Ubongo!". */
export interface UbongoCall {
  seat: number;
  /** Which place it was, once that is known. */
  rank: number | null;
}

/** What is announced over the whole table for a moment. */
export type TimeUpOrTieBanner = 'sand_ran_out' | 'second_chance_began' | 'tie_found';

interface Update {
  events: readonly UbongoEvent[];
  before: UbongoView;
  after: UbongoView;
}

const CALL_MS = 1800;
const BAG_SHAKE_MS = 500;
const FLIGHT_MS = 900;
/** Between two gems that fly to the same player while nothing waits for them. */
const GEM_DELAY_MS = 450;
const LAST_ROUND_SHOWN_MS = 3500;
/** With reduced motion, every moment is shorter. */
const REDUCED_MOTION_DURATION_SCALE = 0.55;

const ANNOUNCEMENT_MS: Readonly<Record<TimeUpOrTieBanner, number>> = {
  sand_ran_out: 1200,
  second_chance_began: 1600,
  tie_found: 2400,
};
/** How long the table stays as it is before an event is shown. */
const DELAY_BEFORE_MS: EventDurations = {
  tie_found: LAST_ROUND_SHOWN_MS,
  match_ended: LAST_ROUND_SHOWN_MS,
};
/** How long an event is shown. */
const SHOWN_MS: EventDurations = {
  ...ANNOUNCEMENT_MS,
  card_solved: CALL_MS,
  gem_taken: FLIGHT_MS,
};
type EventDurations = Partial<Readonly<Record<UbongoEvent['kind'], number>>>;

const isAnnouncement = (kind: UbongoEvent['kind']): kind is TimeUpOrTieBanner =>
  kind in ANNOUNCEMENT_MS;
const animationDurationScale = (): number =>
  settings.durationScale || REDUCED_MOTION_DURATION_SCALE;

export class Playback {
  /** What is shown meanwhile; null: the newest view. */
  held: UbongoView | null = $state.raw(null);
  call: UbongoCall | null = $state.raw(null);
  announcement: TimeUpOrTieBanner | null = $state.raw(null);
  /** Whether a hand is in the bag. */
  isDrawing = $state(false);
  /** True from our own call until its gems have arrived. */
  isOurMoment = $state(false);
  /** Whether the match has ended while we watched, so that its gems are counted. */
  isCounting = $state(false);
  /** When the last round ended, on the server's clock. */
  endedAt: number | null = $state(null);
  /** What each seat has won in this round. */
  gained: Readonly<Record<number, readonly Gem[]>> = $state.raw({});

  readonly #host: PlaybackHost;
  #newest: UbongoView;
  #shown: UbongoView;
  /** Whether the update that is being shown may take its time. */
  #holds = false;
  #queue: Update[] = [];
  #running = false;
  #closed = false;
  #stopHolding = (): void => undefined;
  #callTimer = 0;
  #callEndsAt = 0;
  #announcementTimer = 0;

  constructor(view: UbongoView, host: PlaybackHost) {
    this.#newest = view;
    this.#shown = view;
    this.#host = host;
  }

  /** Stop for good: show and announce nothing more, and don't use the host, which is gone. */
  close(): void {
    this.#closed = true;
    this.#stopHolding();
    clearTimeout(this.#callTimer);
    clearTimeout(this.#announcementTimer);
  }

  /** Set the newest view, even one without events: after a reconnection, or in a lesson. */
  updateNewest(view: UbongoView): void {
    this.#newest = view;
    if (this.#mustCatchUp) this.#stopHolding();
  }

  /** Queue an update. Resolves once it has been shown, unless others are being shown already. */
  async add(events: readonly UbongoEvent[], after: UbongoView): Promise<void> {
    this.#queue.push({ events, before: this.#newest, after });
    this.#addRankToCall(events);
    this.endedAt = events.find(({ kind }) => kind === 'round_ended')?.at ?? this.endedAt;
    this.updateNewest(after);
    if (!this.#running) await this.#showQueue();
  }

  async #showQueue(): Promise<void> {
    this.#running = true;
    let failure: unknown;
    for (let next = this.#queue.shift(); next && !this.#closed; next = this.#queue.shift()) {
      try {
        await this.#showUpdate(next);
      } catch (error) {
        failure ??= error;
      }
    }
    this.#running = false;
    this.isOurMoment = false;
    this.held = null;
    if (failure) throw failure;
  }

  async #showUpdate({ events, before, after }: Update): Promise<void> {
    const { you } = this.#host;
    const ours = you !== null && events.some((event) => 'seat' in event && event.seat === you);
    const ends = isRoundUnderWay(before) && !isRoundUnderWay(after);
    // A call may be a moment older than the end of the round that it led to, or than another call.
    // Our own call is shown at once.
    const caller = events.find((event) => event.kind === 'card_solved')?.seat;
    const waitsForCall = this.call !== null && (caller === undefined ? ends : caller !== you);
    this.#holds = before.seat === after.seat && (ours || ends || waitsForCall);
    this.#show(before);
    // Set at once: otherwise the page would show the end for a moment.
    const takesTime =
      waitsForCall || events.some(({ kind }) => kind in DELAY_BEFORE_MS || kind in SHOWN_MS);
    if (takesTime && this.#isHolding) this.held = before;
    if (waitsForCall)
      await this.#holdView((this.#callEndsAt - Date.now()) / animationDurationScale());
    let gems = 0;
    for (const event of events) {
      const delayMs = event.kind === 'gem_taken' ? GEM_DELAY_MS * gems++ : 0;
      await this.#showEvent(event, events, delayMs);
    }
  }

  async #showEvent(
    event: UbongoEvent,
    together: readonly UbongoEvent[],
    delayMs: number,
  ): Promise<void> {
    await this.#holdView(DELAY_BEFORE_MS[event.kind]);
    if (event.kind === 'gem_taken' && event.source === 'bag') await this.#shakeBag();
    if (this.#closed) return;
    const { names, you } = this.#host;
    announcer.say(describeEvent(event, names, you, this.#shown.options.rounds));
    const sound = soundFor(event);
    if (sound) playSound(sound);
    switch (event.kind) {
      case 'countdown_began':
      case 'round_began':
        this.gained = {};
        this.call = null;
        this.announcement = null;
        break;
      case 'card_solved':
        this.#showCall(event.seat);
        // The place may have become known while other calls were shown.
        this.#addRankToCall([...together, ...this.#queue.flatMap(({ events }) => events)]);
        break;
      case 'gem_taken': {
        const { seat, gem } = event;
        this.gained = { ...this.gained, [seat]: [...(this.gained[seat] ?? []), gem] };
        const timing = { durationMs: FLIGHT_MS, delayMs: this.#isHolding ? 0 : delayMs };
        if (settings.durationScale) this.#host.flyGem(event, timing);
        break;
      }
      case 'match_ended':
        this.isCounting = true;
        break;
    }
    if (isAnnouncement(event.kind)) this.#showAnnouncement(event.kind, together);
    this.#show(applyEvent(this.#shown, event));
    await this.#holdView(SHOWN_MS[event.kind]);
  }

  /** Show a hand in the bag, before the gem that it draws is seen. */
  async #shakeBag(): Promise<void> {
    if (!this.#isHolding) return;
    this.isDrawing = true;
    try {
      await this.#holdView(BAG_SHAKE_MS);
    } finally {
      this.isDrawing = false;
    }
  }

  #showCall(seat: number): void {
    if (seat === this.#host.you) this.isOurMoment = true;
    else if (this.#isHolding) this.isOurMoment = false;
    this.call = { seat, rank: null };
    clearTimeout(this.#callTimer);
    const ms = CALL_MS * animationDurationScale();
    this.#callEndsAt = Date.now() + ms;
    this.#callTimer = window.setTimeout(() => (this.call = null), ms);
  }

  /** Add its place to the call, because it may become known while the call is still shown. */
  #addRankToCall(events: readonly UbongoEvent[]): void {
    const { call } = this;
    for (const event of events)
      if (event.kind === 'solution_settled' && event.seat === call?.seat)
        this.call = { ...call, rank: event.rank };
  }

  #showAnnouncement(scene: TimeUpOrTieBanner, together: readonly UbongoEvent[]): void {
    // The announcement of a second chance implies that the sand has run out.
    if (together.some(({ kind }) => kind === 'second_chance_began' && kind !== scene)) return;
    if (scene !== 'second_chance_began' && !this.#isHolding) return;
    this.announcement = scene;
    clearTimeout(this.#announcementTimer);
    this.#announcementTimer = window.setTimeout(
      () => (this.announcement = null),
      ANNOUNCEMENT_MS[scene] * animationDurationScale(),
    );
  }

  #show(view: UbongoView): void {
    this.#shown = view;
    if (this.held) this.held = view;
  }

  /** Whether the newest view can't wait. */
  get #mustCatchUp(): boolean {
    const { choices, phase, round } = this.#newest;
    const goesOn = choices.solve || phase === 'countdown' || round !== this.#shown.round;
    return goesOn || this.#closed || document.hidden;
  }

  get #isHolding(): boolean {
    return this.#holds && !this.#mustCatchUp;
  }

  async #holdView(ms = 0): Promise<void> {
    if (ms <= 0 || !this.#isHolding) return;
    this.held = this.#shown;
    await new Promise<void>((resolve) => {
      const timer = window.setTimeout(resolve, ms * animationDurationScale());
      this.#stopHolding = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
