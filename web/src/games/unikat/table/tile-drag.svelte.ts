/** A tile of the rack that follows the finger or the mouse. */

import { play } from '../../../lib/sounds';
import type { Tile } from '../../../lib/wire';
import type { Point } from '../board/camera';

/** So far must it be moved, or it was a tap. */
const SLACK = 8;
/** A finger hides what is under it: the tile is held above. */
const LIFT = 56;

export interface Dropping {
  over(tile: Tile, point: Point): void;
  drop(tile: Tile, point: Point): void;
  end(): void;
}

export class TileDrag {
  tile: Tile | null = $state(null);
  /** The middle of the tile. */
  point: Point = $state.raw({ x: 0, y: 0 });

  readonly #dropping: Dropping;

  constructor(dropping: Dropping) {
    this.#dropping = dropping;
  }

  grab(tile: Tile, down: PointerEvent): void {
    if (down.button > 0 || !down.isPrimary) return;
    const lift = down.pointerType === 'mouse' ? 0 : LIFT;
    const where = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY - lift });
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      if (!this.tile) {
        if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SLACK) return;
        this.tile = tile;
        play('lift');
      }
      this.point = where(event);
      this.#dropping.over(tile, this.point);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      stop();
      if (!this.tile) return;
      this.tile = null;
      if (event.type === 'pointerup') {
        this.#dropping.drop(tile, where(event));
        // The tap that some browsers make of it is not one.
        addEventListener('click', swallow, { capture: true, once: true });
        setTimeout(() => removeEventListener('click', swallow, { capture: true }));
      }
      this.#dropping.end();
    };
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
  }
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
