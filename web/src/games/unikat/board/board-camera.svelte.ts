/**
 * The camera over the board. It follows what is laid, holds still while somebody builds a turn, and
 * can be moved by hand.
 */

import type { Point } from '../../../lib/pointer-drag.svelte';
import { settings } from '../../../lib/settings.svelte';
import type { Cell } from '../../../lib/wire';
import { sameCell } from '../placement';
import {
  boundingBox,
  centreOn,
  clamp,
  clampCentre,
  contains,
  FEWEST_CELLS_ACROSS,
  fitUncovered,
  interpolate,
  keepNearestInSight,
  largestVisibleGroup,
  panToShow,
  panToUncover,
  READABLE_CELL_PX,
  TAPPABLE_CELL_PX,
  uncoveredBox,
  uncoveredSize,
  union,
  visibleBox,
  zoomAt,
  type Box,
  type Camera,
  type CoveredEdges,
  type Size,
} from './camera';

/** The size of a cell before the board is scaled. */
export const CELL_PX = 96;

const GLIDE_MS = 320;
/** How long the camera rests before details that depend on the scale are updated. */
const SETTLE_MS = 150;
/** How much smaller than possible the board may get before it's shown larger again. */
const ZOOM_SLACK = 0.72;
/** The size of a cell on a board that doesn't fit as a whole. */
const CLOSE_UP_CELL_PX = 56;
/** A finger that misses a place by no more than this still hits it. */
const FINGER_REACH_PX = 26;

const ORIGIN: Box = boundingBox([[0, 0]]);

export class BoardCamera {
  /** At least this many cells fit across a large screen: the fewer, the larger the first tiles. */
  fewestAcross = FEWEST_CELLS_ACROSS;
  camera: Camera = $state.raw({ x: 0, y: 0, unit: 48 });
  size: Size = $state.raw({ width: 0, height: 0 });
  /** Pixels per cell when the camera last rested. */
  settledUnit = $state(48);
  /** Whether it's moving, while the board is best kept as one picture. */
  moving = $state(false);

  #viewport: HTMLElement | null = null;
  #tiles: readonly Cell[] = [];
  /** The tiles, and as long as there is room the places around them. */
  #board = ORIGIN;
  /** The tiles and all places around them. */
  #everything = ORIGIN;
  #newest = ORIGIN;
  /** Where something is about to be laid: the board is shown as if it already had been. */
  #expected: Box | null = null;
  /**
   * Following what is laid; steady while somebody builds a turn; showing everything on request; or
   * moved by hand.
   */
  #mode: 'following' | 'steady' | 'whole' | 'byHand' = 'following';
  /** Where the camera is, or is gliding to. */
  #destination = this.camera;
  /** The places to be picked from; null: nothing is to be picked. */
  #targets: readonly Cell[] | null = null;
  #frame = 0;
  #settleTimer = 0;

  /** Attach to the element that shows the board. */
  readonly viewport = (element: HTMLElement): (() => void) => {
    this.#viewport = element;
    const observer = new ResizeObserver(() =>
      this.#resize({
        ...this.size,
        width: element.clientWidth,
        height: element.clientHeight,
      }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#settleTimer);
      this.#viewport = null;
    };
  };

  /** Set how much of the board's edges is covered, and keep clear of that. */
  setCoveredEdges(covered: CoveredEdges): void {
    this.size = { ...this.size, covered };
    if (this.size.width && this.#mode === 'following') this.#move(this.#cameraFor(this.#newest));
  }

  /**
   * Follow a change of the board: its tiles, the places around them, and the tiles laid last. While
   * a turn is drafted, those are the tentative ones.
   */
  followBoard(
    tiles: readonly Cell[],
    frontier: readonly Cell[],
    newest: readonly Cell[],
    { drafting = false } = {},
  ): void {
    this.#tiles = tiles;
    const isFirst = !this.size.width;
    const roomy = boundingBox([...tiles, ...frontier], frontier.length ? 0.1 : 0.4);
    // A large board is shown without the places around it: they come into sight when they matter.
    const hasRoom = isFirst || fitUncovered(roomy, this.size).unit >= TAPPABLE_CELL_PX;
    const box = hasRoom ? roomy : boundingBox(tiles, 0.4);
    if (this.#expected && contains(roomy, this.#expected)) this.#expected = null;
    this.#board = this.#expected ? union(box, this.#expected) : box;
    this.#everything = union(this.#board, roomy);
    this.#newest = boundingBox(newest.length ? newest : tiles, 0.6);
    if (isFirst) return;
    if (drafting && this.#mode === 'following') this.#mode = 'steady';
    if (this.#mode === 'steady') {
      // The next tile goes beside this one.
      if (drafting) this.#panToUncover(boundingBox(newest, 1));
      return;
    }
    if (this.#mode === 'byHand') {
      if (newest.length) this.#move(panToShow(this.camera, this.#newest, this.size));
      return;
    }
    const goal = this.#cameraFor(this.#newest);
    if (!this.#alreadyShows(goal, this.#newest) || this.camera.unit < goal.unit * ZOOM_SLACK)
      this.#move(goal);
  }

  /** End a turn: no longer hold still for a draft, nor show the whole board. */
  endTurn(): void {
    if (this.#mode !== 'byHand') this.#mode = 'following';
  }

  /**
   * Set the places to be picked from now (any, if the list is empty); null: nothing is to be
   * picked. They come into sight and are large enough for a finger. If they don't all fit, as many
   * as possible do; on a board that was moved by hand one is enough, and a board shown as a whole
   * stays as it is.
   */
  setTargets(places: readonly Cell[] | null): void {
    this.#targets = places;
    const { size } = this;
    const camera = this.#destination;
    if (!places || !size.width || this.#mode === 'whole') return;
    if (this.#mode === 'byHand') {
      if (places.length && !this.#isAnyInSight(places))
        this.reveal(largestVisibleGroup(places, [1, 1], camera));
      return;
    }
    this.#mode = 'steady';
    if (camera.unit >= TAPPABLE_CELL_PX) {
      this.#keepInSight(places);
      return;
    }
    const fit = places.length ? fitUncovered(boundingBox(places, 0.6), size).unit : camera.unit;
    const unit = clamp(TAPPABLE_CELL_PX, fit, Math.max(camera.unit, CLOSE_UP_CELL_PX));
    const { width, height } = uncoveredSize(size);
    const room: [number, number] = [width / unit - 1.2, height / unit - 1.2];
    const box = places.length
      ? boundingBox(largestVisibleGroup(places, room, camera), 0.6)
      : this.#newest;
    this.#move(centreOn(box, this.#board, unit, size));
  }

  pan(by: Point): void {
    this.#mode = 'byHand';
    this.moving = true;
    const { x, y, unit } = this.camera;
    const moved = { x: x - by.x / unit, y: y - by.y / unit, unit };
    this.#move(this.#keepBoardInSight(moved), { glide: false });
  }

  /**
   * Zoom around a point, as fingers and wheels do; a button zooms around the middle, and glides.
   */
  zoom(factor: number, point?: Point): void {
    this.#mode = 'byHand';
    this.moving = true;
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    const zoomed = zoomAt(this.camera, factor, point ?? middle, this.size);
    this.#move(point ? this.#keepBoardInSight(zoomed) : zoomed, { glide: !point });
  }

  /** Show everything for this turn, then follow again. */
  showWholeBoard(): void {
    this.#mode = 'whole';
    this.#expected = null;
    this.#move(fitUncovered(this.#everything, this.size));
  }

  /** Bring cells into sight, moving no further than needed. */
  reveal(cells: readonly Cell[]): void {
    if (this.size.width) this.#panToUncover(boundingBox(cells, 0.4));
  }

  /** Bring cells into sight where something is about to be laid. Returns how long it takes (ms). */
  panToUpcoming(cells: readonly Cell[]): number {
    if (!cells.length || !this.size.width) return 0;
    this.#expected = boundingBox(cells, 1);
    const box = boundingBox(cells, 0.4);
    if (this.#mode === 'byHand') {
      if (contains(visibleBox(this.camera, this.size), box)) return 0;
      this.#move(panToShow(this.camera, box, this.size));
      return GLIDE_MS;
    }
    this.#board = union(this.#board, this.#expected);
    this.#everything = union(this.#everything, this.#expected);
    const goal = this.#cameraFor(box);
    if (this.#alreadyShows(goal, box)) return 0;
    this.#move(goal);
    return GLIDE_MS;
  }

  /** Where a cell is in the window. */
  rectOf([x, y]: Readonly<Cell>): DOMRect {
    const { camera, size } = this;
    const box = this.#viewport?.getBoundingClientRect() ?? new DOMRect();
    const left = box.left + size.width / 2 + (x - 0.5 - camera.x) * camera.unit;
    const top = box.top + size.height / 2 + (y - 0.5 - camera.y) * camera.unit;
    return new DOMRect(left, top, camera.unit, camera.unit);
  }

  /**
   * The cell at a point of the window; null: it's outside the board. A place nearby attracts the
   * point, unless it's exactly on one of the tentative tiles.
   */
  snappedCellAt(
    { x, y }: Point,
    places: readonly Cell[],
    tentative: readonly Cell[] = [],
  ): Cell | null {
    const box = this.#viewport?.getBoundingClientRect();
    if (!box || x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
    const { camera, size } = this;
    const column = camera.x + (x - box.left - size.width / 2) / camera.unit;
    const row = camera.y + (y - box.top - size.height / 2) / camera.unit;
    const exact: Cell = [Math.round(column), Math.round(row)];
    if (tentative.some((cell) => sameCell(cell, exact))) return exact;
    const reach = Math.max(0.6, FINGER_REACH_PX / camera.unit);
    const distance = ([a, b]: Cell) => Math.hypot(a - column, b - row);
    const [nearest] = [...places].sort((one, other) => distance(one) - distance(other));
    return nearest && distance(nearest) < reach ? nearest : exact;
  }

  #resize(size: Size): void {
    const isFirst = !this.size.width;
    this.size = size;
    if (!isFirst && this.#mode === 'byHand') return;
    if (this.#mode !== 'steady') this.#move(this.#cameraFor(this.#newest), { glide: false });
    this.setTargets(this.#targets);
  }

  /** Keep a tile in sight, wherever a hand moves the board, so that nobody gets lost. */
  #keepBoardInSight(camera: Camera): Camera {
    return keepNearestInSight(clampCentre(camera, this.#board), this.#tiles, this.size);
  }

  /** Whether one of the places is in sight. */
  #isAnyInSight(places: readonly Cell[]): boolean {
    const sight = uncoveredBox(this.#destination, this.size);
    return places.some((place) => contains(sight, boundingBox([place])));
  }

  /** Bring all places into sight, or at least one if they don't fit on the screen at this scale. */
  #keepInSight(places: readonly Cell[]): void {
    if (!places.length) return;
    const { unit } = this.#destination;
    const { width, height } = uncoveredSize(this.size);
    const { left, top, right, bottom } = boundingBox(places);
    const fit = (right - left) * unit <= width && (bottom - top) * unit <= height;
    if (fit) this.#panToUncover({ left, top, right, bottom });
    else if (!this.#isAnyInSight(places)) {
      const room: [number, number] = [width / unit, height / unit];
      this.#panToUncover(boundingBox(largestVisibleGroup(places, room, this.#destination)));
    }
  }

  /** Uncover a box, moving no further than needed from the camera's destination. */
  #panToUncover(box: Box): void {
    if (contains(uncoveredBox(this.#destination, this.size), box)) return;
    this.#move(panToUncover(this.#destination, box, this.size));
  }

  /** All of the board if its tiles are readable; otherwise a part of it around a box. */
  #cameraFor(box: Box): Camera {
    const isWhole = this.#mode === 'whole';
    const all = isWhole ? this.#everything : this.#board;
    const whole = fitUncovered(all, this.size, this.fewestAcross);
    if (isWhole || whole.unit >= READABLE_CELL_PX) return whole;
    const unit = clamp(
      READABLE_CELL_PX,
      fitUncovered(box, this.size).unit,
      CLOSE_UP_CELL_PX * ZOOM_SLACK,
    );
    return centreOn(box, this.#board, unit, this.size);
  }

  /** Whether the camera already shows what a goal would show: everything, or at least a box. */
  #alreadyShows(goal: Camera, box: Box): boolean {
    const all = this.#mode === 'whole' ? this.#everything : this.#board;
    const wanted = contains(visibleBox(goal, this.size), all) ? all : box;
    return contains(visibleBox(this.camera, this.size), wanted);
  }

  #move(to: Camera, { glide = true } = {}): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settleTimer);
    this.#destination = to;
    const settle = () => {
      this.moving = false;
      this.settledUnit = this.camera.unit;
    };
    const duration = glide ? GLIDE_MS * settings.durationScale : 0;
    if (!duration) {
      this.camera = to;
      if (this.moving) this.#settleTimer = window.setTimeout(settle, SETTLE_MS);
      else settle();
      return;
    }
    const from = this.camera;
    const start = performance.now();
    this.moving = true;
    const step = (now: number) => {
      const part = clamp(0, (now - start) / duration, 1);
      this.camera = interpolate(from, to, 1 - (1 - part) ** 3);
      if (part < 1) this.#frame = requestAnimationFrame(step);
      else settle();
    };
    this.#frame = requestAnimationFrame(step);
  }
}
