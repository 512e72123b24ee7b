/** The camera over a board: it follows what is laid, until somebody moves it by hand. */

import { settings } from '../lib/settings.svelte';
import type { Cell } from '../lib/wire';
import {
  around,
  between,
  contains,
  fitted,
  inSight,
  kept,
  moved,
  union,
  zoomed,
  type Box,
  type Camera,
  type Point,
  type Size,
} from './camera';

const GLIDE = 320;
/** How much smaller than it could be a board may be before it is shown larger again. */
const LOOSE = 0.72;
/** Buttons lie over the lower edge: what is shown whole is shown above them. */
const BUTTONS = 56;

export class Sight {
  camera: Camera = $state.raw({ x: 0, y: 0, unit: 48 });
  size: Size = $state.raw({ width: 0, height: 0 });
  #box: Box = around([[0, 0]]);
  /** Where something is about to be laid: the board is shown as if it had been. */
  #soon: Box | null = null;
  #byHand = false;
  #frame = 0;

  /** All cells that there are: the board itself, and what lies around it. */
  follow(cells: readonly Cell[], newest: readonly Cell[]): void {
    const first = !this.size.width;
    const box = around(cells, 0.1);
    if (this.#soon && contains(box, this.#soon)) this.#soon = null;
    this.#box = this.#soon ? union(box, this.#soon) : box;
    if (first) return;
    const whole = this.#fit(this.#box);
    if (this.#byHand) {
      if (newest.length) this.#glide(moved(this.camera, around(newest, 0.4), this.size));
      return;
    }
    const good = contains(inSight(this.camera, this.size), this.#box);
    if (!good || this.camera.unit < whole.unit * LOOSE) this.#glide(whole);
  }

  resize(width: number, height: number): void {
    const first = !this.size.width;
    this.size = { width, height };
    if (first || !this.#byHand) this.#jump(this.#fit(this.#box));
  }

  pan(by: Point): void {
    this.#byHand = true;
    const { x, y, unit } = this.camera;
    this.#jump(kept({ x: x - by.x / unit, y: y - by.y / unit, unit }, this.#box));
  }

  zoom(factor: number, point: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.#byHand = true;
    this.#jump(kept(zoomed(this.camera, factor, point, this.size), this.#box));
  }

  /** For a button: a step that is seen to happen. */
  step(factor: number): void {
    this.#byHand = true;
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    this.#glide(zoomed(this.camera, factor, middle, this.size));
  }

  /** All of it, and following again. */
  whole(): void {
    this.#byHand = false;
    this.#soon = null;
    this.#glide(this.#fit(this.#box));
  }

  /** Have cells in sight, moving no further than needed. */
  reveal(cells: readonly Cell[]): void {
    const box = around(cells, 0.4);
    if (!this.size.width || contains(inSight(this.camera, this.size), box)) return;
    this.#glide(moved(this.camera, box, this.size));
  }

  /** Have cells in sight where something is about to be laid; says how long that takes. */
  expect(cells: readonly Cell[]): number {
    if (!cells.length || !this.size.width) return 0;
    this.#soon = around(cells, 1);
    const box = this.#byHand ? around(cells, 0.4) : union(this.#box, this.#soon);
    if (contains(inSight(this.camera, this.size), box)) return 0;
    this.#glide(this.#byHand ? moved(this.camera, box, this.size) : this.#fit(box));
    return GLIDE;
  }

  /** Where a cell's corner is, in pixels from the board's own. */
  corner([x, y]: Readonly<Cell>): Point {
    const { camera, size } = this;
    return {
      x: size.width / 2 + (x - 0.5 - camera.x) * camera.unit,
      y: size.height / 2 + (y - 0.5 - camera.y) * camera.unit,
    };
  }

  #fit(box: Box): Camera {
    const { width, height } = this.size;
    const camera = fitted(box, { width, height: height - BUTTONS });
    return { ...camera, y: camera.y + BUTTONS / 2 / camera.unit };
  }

  #jump(camera: Camera): void {
    cancelAnimationFrame(this.#frame);
    this.camera = camera;
  }

  #glide(to: Camera): void {
    cancelAnimationFrame(this.#frame);
    const from = this.camera;
    const lasts = GLIDE * settings.pace;
    const begin = performance.now();
    const next = (now: number) => {
      const part = lasts ? Math.min((now - begin) / lasts, 1) : 1;
      this.camera = between(from, to, 1 - (1 - Math.max(part, 0)) ** 3);
      if (part < 1) this.#frame = requestAnimationFrame(next);
    };
    if (lasts) this.#frame = requestAnimationFrame(next);
    else this.camera = to;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
  }
}
