/**
 * What is shown, which may be a little behind what is known: updates wait until those before them
 * have been seen. Nothing can be done before the view shown is the newest.
 */

import { settings } from '../../../lib/settings.svelte';
import { play } from '../../../lib/sounds';
import type { Cell, Tile, UnikatEvent, UnikatView } from '../../../lib/wire';
import { applyEvent } from './apply-event';
import { cellOf } from '../placement';

/** Where a tile can come from or go to on the screen. */
export type Anchor =
  | { kind: 'seat'; seat: number }
  | { kind: 'cell'; cell: Cell }
  | { kind: 'bag' }
  | { kind: 'display'; tile: Tile }
  | { kind: 'rack'; tile: Tile };

export interface PlaybackHost {
  /** Let a tile, or the back of one, be seen going somewhere. */
  fly(tile: Tile | null, from: Anchor, to: Anchor, lasts: number): Promise<void>;
  /** Have these in sight; says how long that takes. */
  expect(cells: readonly Cell[]): number;
  /** An event is about to be shown. */
  tell(event: UnikatEvent): void;
  /** Is this the chain that lies on the board already, put there by the player? */
  drafted(tiles: readonly Tile[]): boolean;
}

interface Update {
  events: readonly UnikatEvent[];
  view: UnikatView;
}

const FLIGHT = 380;
/** Between two turns, so that each can be followed. */
const BREATH = 420;
/** If more has come in the meantime than can be followed, it is not shown one by one. */
const MOST_WAITING = 4;

export class Playback {
  view: UnikatView = $state.raw() as UnikatView;
  busy = $state(false);

  #waiting: Update[] = [];
  #closed = false;
  readonly #stage: PlaybackHost;

  constructor(view: UnikatView, stage: PlaybackHost) {
    this.view = view;
    this.#stage = stage;
  }

  close(): void {
    this.#closed = true;
  }

  hear(events: readonly UnikatEvent[], view: UnikatView): void {
    this.#waiting.push({ events, view });
    if (!this.busy) void this.#show();
  }

  /** The view has changed without anything having happened: another seat, or a line that is back. */
  settle(view: UnikatView): void {
    if (!this.busy) this.view = view;
  }

  async #show(): Promise<void> {
    this.busy = true;
    for (let next = this.#waiting.shift(); next && !this.#closed; next = this.#waiting.shift()) {
      // A view from another seat's eyes, or of another round: nothing leads there from this one.
      const follows = next.view.seat === this.view.seat && next.view.round === this.view.round;
      for (const event of next.events) {
        this.#stage.tell(event);
        if (follows) await this.#happen(event);
        else if (event.kind === 'round_dealt') play('draw');
      }
      this.view = next.view;
    }
    this.busy = false;
  }

  get #pace(): number {
    if (document.hidden || this.#closed || this.#waiting.length > MOST_WAITING) return 0;
    return settings.pace;
  }

  async #happen(event: UnikatEvent): Promise<void> {
    switch (event.kind) {
      case 'chain_laid':
        await this.#lay(event);
        return;
      case 'tile_swapped': {
        const { seat, give, take, source } = event;
        play('swap');
        const tile = typeof take === 'string' ? take : null;
        await Promise.all([
          this.#fly(give, this.#home(seat, give), { kind: 'display', tile: give }),
          this.#fly(tile, this.#source(source, tile), this.#home(seat, null)),
        ]);
        break;
      }
      case 'tile_drawn': {
        play('draw');
        const tile = typeof event.tile === 'string' ? event.tile : null;
        await this.#fly(tile, this.#source(event.source, tile), this.#home(event.seat, null));
        break;
      }
      case 'display_filled':
        play('draw');
        for (const tile of event.tiles) {
          await this.#fly(tile, { kind: 'bag' }, { kind: 'display', tile });
        }
        break;
      case 'bonus_earned':
        play('bonus');
        break;
      case 'turn_ended':
        if (event.next === this.view.seat) play('yourTurn');
        else if (event.seat !== this.view.seat) await this.#wait(BREATH);
        break;
      case 'round_ended':
        play('roundEnd');
        await this.#wait(2 * BREATH);
        break;
      case 'match_ended':
        play('win');
        break;
    }
    this.view = applyEvent(this.view, event);
  }

  async #lay(event: Extract<UnikatEvent, { kind: 'chain_laid' }>): Promise<void> {
    const { seat, tiles } = event;
    if (this.#stage.drafted(tiles.map(([tile]) => tile))) {
      play('lay');
      this.view = applyEvent(this.view, event);
      return;
    }
    await this.#wait(this.#stage.expect(tiles.map(cellOf)));
    for (const placed of tiles) {
      const [tile] = placed;
      await this.#fly(tile, this.#home(seat, tile), { kind: 'cell', cell: cellOf(placed) });
      play('lay');
      this.view = applyEvent(this.view, { ...event, tiles: [placed] });
    }
  }

  #home(seat: number, tile: Tile | null): Anchor {
    return seat === this.view.seat && tile ? { kind: 'rack', tile } : { kind: 'seat', seat };
  }

  #source(source: 'bag' | 'display', tile: Tile | null): Anchor {
    return source === 'bag' || !tile ? { kind: 'bag' } : { kind: 'display', tile };
  }

  async #fly(tile: Tile | null, from: Anchor, to: Anchor): Promise<void> {
    const lasts = FLIGHT * this.#pace;
    if (lasts) await this.#stage.fly(tile, from, to, lasts);
  }

  #wait(lasts: number): Promise<void> {
    return new Promise((done) => window.setTimeout(done, lasts * this.#pace));
  }
}
