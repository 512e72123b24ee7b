/** The camera over a board: it follows what is laid, until somebody moves it by hand. */

import { settings } from '../../../lib/settings.svelte';
import type { Cell } from '../../../lib/wire';
import {
  boundingBox,
  interpolate,
  clampToBoard,
  clamp,
  contains,
  fitBox,
  largestVisibleGroup,
  visibleBox,
  clampCentre,
  panToShow,
  READABLE_PX,
  TAPPABLE_PX,
  union,
  zoomAt,
  type Box,
  type Camera,
  type Point,
  type Size,
} from './camera';

const GLIDE = 320;
/** How much smaller than it could be a board may be before it is shown larger again. */
const LOOSE = 0.72;
/** As large as a cell is made by itself on a board that does not fit as a whole. */
const LOOKED_AT = 56;
/** Buttons lie over the lower edge, and what the others did over the upper one: what is shown whole is
 * shown between them. */
const BUTTONS = 56;
const STORY = 32;
const COVERED = BUTTONS + STORY;

export class BoardCamera {
  camera: Camera = $state.raw({ x: 0, y: 0, unit: 48 });
  size: Size = $state.raw({ width: 0, height: 0 });
  #box: Box = boundingBox([[0, 0]]);
  /** With every place around it. */
  #all: Box = boundingBox([[0, 0]]);
  /** What is looked for first: the newest tiles. */
  #newest: Box = boundingBox([[0, 0]]);
  /** Where something is about to be laid: the board is shown as if it had been. */
  #soon: Box | null = null;
  /** Following what is laid; all of the board, because somebody asked; or wherever it was moved. */
  #mode: 'following' | 'whole' | 'byHand' = 'following';
  /** Where somebody has to point; null: nowhere. */
  #wanted: readonly Cell[] | null = null;
  #frame = 0;

  /** What lies on the board, the places around it, and what was laid last. */
  follow(tiles: readonly Cell[], edge: readonly Cell[], newest: readonly Cell[]): void {
    const first = !this.size.width;
    const roomy = boundingBox([...tiles, ...edge], 0.1);
    // A large board is shown without the places around it: they come into sight when they matter.
    const box = first || this.#fit(roomy).unit >= TAPPABLE_PX ? roomy : boundingBox(tiles, 0.4);
    if (this.#soon && contains(roomy, this.#soon)) this.#soon = null;
    this.#box = this.#soon ? union(box, this.#soon) : box;
    this.#all = union(this.#box, roomy);
    this.#newest = boundingBox(newest.length ? newest : tiles, 0.6);
    if (first) return;
    if (this.#mode === 'byHand') {
      if (newest.length) this.#glide(panToShow(this.camera, this.#newest, this.size));
      return;
    }
    const goal = this.#goal(this.#newest);
    const all = contains(visibleBox(goal, this.size), this.#shown);
    const good = contains(visibleBox(this.camera, this.size), all ? this.#shown : this.#newest);
    if (!good || this.camera.unit < goal.unit * LOOSE) this.#glide(goal);
  }

  /** A turn is over: whoever wanted to see all of the board has seen it. */
  turn(): void {
    if (this.#mode === 'whole') this.#mode = 'following';
  }

  /** Somebody has to hit one of these places, or any that they find themselves; null: no longer. */
  aim(places: readonly Cell[] | null): void {
    this.#wanted = places;
    const { camera, size } = this;
    if (!places || !size.width || this.#mode === 'whole') return;
    const seen = places.filter((place) => contains(visibleBox(camera, size), boundingBox([place])));
    if (this.#mode === 'byHand') {
      if (places.length && !seen.length) this.reveal(largestVisibleGroup(places, [1, 1], camera));
      return;
    }
    if (seen.length === places.length && camera.unit >= TAPPABLE_PX) return;
    const fit = places.length ? this.#fit(boundingBox(places, 0.6)).unit : camera.unit;
    const unit = clamp(TAPPABLE_PX, fit, Math.max(camera.unit, LOOKED_AT));
    const space: [number, number] = [size.width / unit - 1.2, (size.height - COVERED) / unit - 1.2];
    const box = places.length
      ? boundingBox(largestVisibleGroup(places, space, camera), 0.6)
      : this.#newest;
    this.#glide(this.#on(box, unit));
  }

  resize(width: number, height: number): void {
    const first = !this.size.width;
    this.size = { width, height };
    if (!first && this.#mode === 'byHand') return;
    this.#jump(this.#goal(this.#newest));
    this.aim(this.#wanted);
  }

  pan(by: Point): void {
    this.#mode = 'byHand';
    const { x, y, unit } = this.camera;
    this.#jump(clampCentre({ x: x - by.x / unit, y: y - by.y / unit, unit }, this.#box));
  }

  zoom(factor: number, point: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.#mode = 'byHand';
    this.#jump(clampCentre(zoomAt(this.camera, factor, point, this.size), this.#box));
  }

  /** For a button: a step that is seen to happen. */
  step(factor: number): void {
    this.#mode = 'byHand';
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    this.#glide(zoomAt(this.camera, factor, middle, this.size));
  }

  /** All of it, for this turn; and following again. */
  whole(): void {
    this.#mode = 'whole';
    this.#soon = null;
    this.#glide(this.#fit(this.#all));
  }

  /** Have cells in sight, moving no further than needed. */
  reveal(cells: readonly Cell[]): void {
    const box = boundingBox(cells, 0.4);
    if (!this.size.width || contains(visibleBox(this.camera, this.size), box)) return;
    this.#glide(panToShow(this.camera, box, this.size));
  }

  /** Have cells in sight where something is about to be laid; says how long that takes. */
  expect(cells: readonly Cell[]): number {
    if (!cells.length || !this.size.width) return 0;
    this.#soon = boundingBox(cells, 1);
    const box = boundingBox(cells, 0.4);
    if (this.#mode === 'byHand') {
      if (contains(visibleBox(this.camera, this.size), box)) return 0;
      this.#glide(panToShow(this.camera, box, this.size));
      return GLIDE;
    }
    this.#box = union(this.#box, this.#soon);
    this.#all = union(this.#all, this.#soon);
    const goal = this.#goal(box);
    const all = contains(visibleBox(goal, this.size), this.#shown);
    if (contains(visibleBox(this.camera, this.size), all ? this.#shown : box)) return 0;
    this.#glide(goal);
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

  /** What is shown when all of it is: whoever asks for the whole board gets its places too. */
  get #shown(): Box {
    return this.#mode === 'whole' ? this.#all : this.#box;
  }

  /** All of the board if its tiles can be read then, or as much of it around something. */
  #goal(box: Box): Camera {
    const whole = this.#fit(this.#shown);
    if (this.#mode === 'whole' || whole.unit >= READABLE_PX) return whole;
    return this.#on(box, clamp(READABLE_PX, this.#fit(box).unit, LOOKED_AT * LOOSE));
  }

  /** A box in the middle, but for emptiness beyond the board. */
  #on(box: Box, unit: number): Camera {
    const { width, height } = this.size;
    const free = { width, height: height - COVERED };
    const camera = { ...fitBox(box, free), unit };
    const { x, y } = clampToBoard(camera, union(this.#box, box), free);
    return { x, y: y + (BUTTONS - STORY) / 2 / unit, unit };
  }

  #fit(box: Box): Camera {
    const { width, height } = this.size;
    const camera = fitBox(box, { width, height: height - COVERED });
    return { ...camera, y: camera.y + (BUTTONS - STORY) / 2 / camera.unit };
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
      this.camera = interpolate(from, to, 1 - (1 - Math.max(part, 0)) ** 3);
      if (part < 1) this.#frame = requestAnimationFrame(next);
    };
    if (lasts) this.#frame = requestAnimationFrame(next);
    else this.camera = to;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
  }
}
