/**
 * What is shown, which may be a little behind what is known: updates wait until those before them
 * have been shown. Nobody can act until the newest view is shown.
 */

import { settings } from '../../../lib/settings.svelte';
import { playSound } from '../../../lib/sounds';
import type { Cell, Tile, UnikatEvent, UnikatView } from '../../../lib/wire';
import { cellOf } from '../placement';
import { applyEvent } from './apply-event';

/** Where a tile can come from or go to on the screen. */
export type Anchor =
  | { kind: 'seat'; seat: number }
  | { kind: 'cell'; cell: Cell }
  | { kind: 'bag' }
  | { kind: 'display'; tile: Tile }
  | { kind: 'rack'; tile: Tile };

export interface PlaybackHost {
  /** Let a tile fly; null: only its back is seen. */
  fly(tile: Tile | null, from: Anchor, to: Anchor, durationMs: number): Promise<void>;
  /** Bring cells into sight. Returns how long that takes (ms). */
  panToUpcoming(cells: readonly Cell[]): number;
  /** An event is about to be shown. */
  beforeEvent(event: UnikatEvent): void;
  /** Whether the player has already put these tiles on the board. */
  isDrafted(tiles: readonly Tile[]): boolean;
}

interface Update {
  events: readonly UnikatEvent[];
  view: UnikatView;
}

const FLIGHT_MS = 380;
/** Between two turns, so that each can be followed. */
const TURN_PAUSE_MS = 420;
/** If more updates wait than can be followed, they aren't shown one by one. */
const MOST_WAITING = 4;

export class Playback {
  view: UnikatView = $state.raw()!;
  busy = $state(false);
  #queue: Update[] = [];
  #closed = false;
  readonly #host: PlaybackHost;

  constructor(view: UnikatView, host: PlaybackHost) {
    this.view = view;
    this.#host = host;
  }

  /** Stop for good: show nothing more, and don't use the host, which is gone. */
  close(): void {
    this.#closed = true;
  }

  /** Queue an update. Resolves once it has been shown, unless others are being shown already. */
  async add(events: readonly UnikatEvent[], view: UnikatView): Promise<void> {
    this.#queue.push({ events, view });
    if (!this.busy) await this.#showQueue();
  }

  /** Show a view that came without events: another seat's, or after a reconnection. */
  showIfIdle(view: UnikatView): void {
    if (!this.busy) this.view = view;
  }

  async #showQueue(): Promise<void> {
    this.busy = true;
    let failure: unknown;
    for (let next = this.#queue.shift(); next && !this.#closed; next = this.#queue.shift()) {
      try {
        await this.#showUpdate(next);
      } catch (error) {
        failure ??= error;
      }
      this.view = next.view;
    }
    this.busy = false;
    if (failure) throw failure;
  }

  async #showUpdate({ events, view }: Update): Promise<void> {
    // A change to another seat's view, or to another round, can't be animated.
    const follows = view.seat === this.view.seat && view.round === this.view.round;
    for (const event of events) {
      if (this.#closed) return;
      this.#host.beforeEvent(event);
      if (follows) await this.#showEvent(event);
      else if (event.kind === 'round_dealt') playSound('draw');
    }
  }

  get #durationScale(): number {
    if (document.hidden || this.#closed || this.#queue.length > MOST_WAITING) return 0;
    return settings.durationScale;
  }

  async #showEvent(event: UnikatEvent): Promise<void> {
    switch (event.kind) {
      case 'chain_laid':
        await this.#layChain(event);
        return;
      case 'tile_swapped': {
        const { seat, give, take, source } = event;
        playSound('swap');
        const tile = typeof take === 'string' ? take : null;
        await Promise.all([
          this.#fly(give, this.#seatAnchor(seat, give), { kind: 'display', tile: give }),
          this.#fly(tile, this.#sourceAnchor(source, tile), this.#seatAnchor(seat, null)),
        ]);
        break;
      }
      case 'tile_drawn': {
        playSound('draw');
        const tile = typeof event.tile === 'string' ? event.tile : null;
        await this.#fly(
          tile,
          this.#sourceAnchor(event.source, tile),
          this.#seatAnchor(event.seat, null),
        );
        break;
      }
      case 'display_filled':
        playSound('draw');
        for (const tile of event.tiles)
          await this.#fly(tile, { kind: 'bag' }, { kind: 'display', tile });
        break;
      case 'bonus_earned':
        playSound('bonus');
        break;
      case 'turn_ended':
        if (event.next === this.view.seat) playSound('yourTurn');
        else if (event.seat !== this.view.seat) await this.#wait(TURN_PAUSE_MS);
        break;
      case 'round_ended':
        playSound('roundEnd');
        await this.#wait(2 * TURN_PAUSE_MS);
        break;
    }
    this.view = applyEvent(this.view, event);
  }

  async #layChain(event: Extract<UnikatEvent, { kind: 'chain_laid' }>): Promise<void> {
    const { seat, tiles } = event;
    if (this.#host.isDrafted(tiles.map(([tile]) => tile))) {
      playSound('lay');
      this.view = applyEvent(this.view, event);
      return;
    }
    await this.#wait(this.#host.panToUpcoming(tiles.map(cellOf)));
    for (const placed of tiles) {
      const [tile] = placed;
      await this.#fly(tile, this.#seatAnchor(seat, tile), { kind: 'cell', cell: cellOf(placed) });
      playSound('lay');
      this.view = applyEvent(this.view, { ...event, tiles: [placed] });
    }
  }

  #seatAnchor(seat: number, tile: Tile | null): Anchor {
    return seat === this.view.seat && tile ? { kind: 'rack', tile } : { kind: 'seat', seat };
  }

  #sourceAnchor(source: 'bag' | 'display', tile: Tile | null): Anchor {
    return source === 'bag' || !tile ? { kind: 'bag' } : { kind: 'display', tile };
  }

  async #fly(tile: Tile | null, from: Anchor, to: Anchor): Promise<void> {
    const durationMs = FLIGHT_MS * this.#durationScale;
    if (durationMs) await this.#host.fly(tile, from, to, durationMs);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => window.setTimeout(resolve, ms * this.#durationScale));
  }
}
