/** The geometry of the visible part of the board. Lengths are in cells unless they end in PX. */

import type { Point } from '../../../lib/pointer-drag.svelte';
import type { Cell } from '../../../lib/wire';

export interface Camera {
  /** The place in the middle of the screen. */
  x: number;
  y: number;
  /** Pixels per cell. */
  unit: number;
}

export interface Size {
  width: number;
  height: number;
  /** What lies over the upper and the lower edge; absent: a line of turns, and buttons. */
  covered?: CoveredEdges;
}

export interface CoveredEdges {
  top: number;
  bottom: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const SMALLEST_CELL_PX = 11;
export const LARGEST_CELL_PX = 132;
/** The size of a cell on a board of few tiles; on a large screen it's a share of the screen. */
const FEW_TILES_CELL_PX = 92;
/** At least this many cells fit across a large screen, however few tiles there are. */
export const FEWEST_CELLS_ACROSS = 7;
/** Smaller tiles can't be told apart: then only a part of the board is shown. */
export const READABLE_CELL_PX = 24;
/** The smallest cell that a finger can hit. */
export const TAPPABLE_CELL_PX = 44;

export const clamp = (least: number, value: number, most: number): number =>
  Math.min(Math.max(value, least), most);

/** The box around cells; each reaches half a cell from its middle. */
export function boundingBox(cells: readonly Readonly<Cell>[], margin = 0): Box {
  const xs = cells.map(([x]) => x);
  const ys = cells.map(([, y]) => y);
  return {
    left: Math.min(...xs) - 0.5 - margin,
    top: Math.min(...ys) - 0.5 - margin,
    right: Math.max(...xs) + 0.5 + margin,
    bottom: Math.max(...ys) + 0.5 + margin,
  };
}

export const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** All of a box in sight, as large as possible. */
export function fitBox(box: Box, size: Size, fewestAcross = FEWEST_CELLS_ACROSS): Camera {
  const least = Math.min(size.width, size.height);
  const unit = Math.min(
    size.width / (box.right - box.left),
    size.height / (box.bottom - box.top),
    Math.max(least / 5, 48),
    Math.max(least / fewestAcross, FEW_TILES_CELL_PX),
  );
  return {
    x: (box.left + box.right) / 2,
    y: (box.top + box.bottom) / 2,
    unit: Math.max(unit, SMALLEST_CELL_PX),
  };
}

export function visibleBox(camera: Camera, size: Size): Box {
  const [across, down] = [size.width / camera.unit / 2, size.height / camera.unit / 2];
  return {
    left: camera.x - across,
    top: camera.y - down,
    right: camera.x + across,
    bottom: camera.y + down,
  };
}

export const contains = (outer: Box, inner: Box): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.right >= inner.right &&
  outer.bottom >= inner.bottom;

/** Move no further than needed to have a box in sight. */
export function panToShow(camera: Camera, box: Box, size: Size): Camera {
  const seen = visibleBox(camera, size);
  const wide = box.right - box.left > seen.right - seen.left;
  const tall = box.bottom - box.top > seen.bottom - seen.top;
  if (wide || tall) return fitBox(box, size);
  return {
    ...camera,
    x: camera.x + Math.max(box.right - seen.right, 0) - Math.max(seen.left - box.left, 0),
    y: camera.y + Math.max(box.bottom - seen.bottom, 0) - Math.max(seen.top - box.top, 0),
  };
}

/** Move no further than needed to show nothing beyond a box, as far as it fills the screen. */
export function clampToBoard(camera: Camera, box: Box, size: Size): Camera {
  const { left, right, top, bottom } = visibleBox(camera, size);
  const clampMiddle = (middle: number, half: number, least: number, most: number) =>
    most - least < 2 * half ? (least + most) / 2 : clamp(least + half, middle, most - half);
  return {
    ...camera,
    x: clampMiddle(camera.x, (right - left) / 2, box.left, box.right),
    y: clampMiddle(camera.y, (bottom - top) / 2, box.top, box.bottom),
  };
}

/**
 * The largest group of cells that fits on a screen of some width and height; of several equally
 * large ones, the nearest to a point.
 */
export function largestVisibleGroup(
  cells: readonly Cell[],
  [wide, high]: readonly [number, number],
  { x, y }: Point,
): Cell[] {
  const distanceToPoint = (some: readonly Cell[]) => {
    const { left, right, top, bottom } = boundingBox(some);
    return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
  };
  const groups = cells.flatMap(([left]) =>
    cells.map(([, top]) =>
      // Each group has at least one cell, however small the screen is.
      cells.filter(
        ([a, b]) =>
          a >= left && a < left + Math.max(wide, 1) && b >= top && b < top + Math.max(high, 1),
      ),
    ),
  );
  return groups
    .filter((some) => some.length)
    .reduce((one, other) => {
      const more = other.length - one.length;
      return more > 0 || (more === 0 && distanceToPoint(other) < distanceToPoint(one))
        ? other
        : one;
    });
}

/** Zoom so that whatever is under a point of the screen stays there. */
export function zoomAt(camera: Camera, factor: number, point: Point, size: Size): Camera {
  const unit = clamp(SMALLEST_CELL_PX, camera.unit * factor, LARGEST_CELL_PX);
  const [right, down] = [point.x - size.width / 2, point.y - size.height / 2];
  return {
    x: camera.x + right / camera.unit - right / unit,
    y: camera.y + down / camera.unit - down / unit,
    unit,
  };
}

/** Keep the middle of the screen inside a box. */
export function clampCentre(camera: Camera, box: Box): Camera {
  return {
    ...camera,
    x: clamp(box.left, camera.x, box.right),
    y: clamp(box.top, camera.y, box.bottom),
  };
}

export const interpolate = (one: Camera, other: Camera, part: number): Camera => ({
  x: one.x + (other.x - one.x) * part,
  y: one.y + (other.y - one.y) * part,
  unit: one.unit + (other.unit - one.unit) * part,
});

/** Buttons lie over the lower edge, and the latest turns over the upper one. */
export const BUTTONS_HEIGHT_PX = 56;
export const RECENT_TURNS_HEIGHT_PX = 32;
const USUALLY_COVERED: CoveredEdges = { top: RECENT_TURNS_HEIGHT_PX, bottom: BUTTONS_HEIGHT_PX };

/** The part of the screen that nothing lies over. */
export const uncoveredSize = ({ width, height, covered = USUALLY_COVERED }: Size): Size => ({
  width,
  height: height - covered.bottom - covered.top,
});

/** How far the middle of the uncovered part is above that of the screen (px). */
const uncoveredMiddleOffsetPx = ({ covered = USUALLY_COVERED }: Size): number =>
  (covered.bottom - covered.top) / 2;

/** Move what is in the middle of the screen to the middle of the uncovered part. */
const shiftClearOfOverlays = (camera: Camera, size: Size): Camera => ({
  ...camera,
  y: camera.y + uncoveredMiddleOffsetPx(size) / camera.unit,
});

/** The camera centred on what the middle of the uncovered part shows. */
const centreOnUncoveredPart = (camera: Camera, size: Size): Camera => ({
  ...camera,
  y: camera.y - uncoveredMiddleOffsetPx(size) / camera.unit,
});

/** The part of the board that is in sight, and that nothing lies over. */
export const uncoveredBox = (camera: Camera, size: Size): Box =>
  visibleBox(centreOnUncoveredPart(camera, size), uncoveredSize(size));

/** Move no further than needed to have a box in the uncovered part. */
export const panToUncover = (camera: Camera, box: Box, size: Size): Camera =>
  shiftClearOfOverlays(
    panToShow(centreOnUncoveredPart(camera, size), box, uncoveredSize(size)),
    size,
  );

/** All of a box in the uncovered part, as large as possible. */
export const fitUncovered = (box: Box, size: Size, fewestAcross?: number): Camera =>
  shiftClearOfOverlays(fitBox(box, uncoveredSize(size), fewestAcross), size);

/** A box in the middle of the uncovered part, but with no empty space beyond the board. */
export function centreOn(box: Box, board: Box, unit: number, size: Size): Camera {
  const free = uncoveredSize(size);
  const camera = { ...fitBox(box, free), unit };
  return shiftClearOfOverlays(clampToBoard(camera, union(board, box), free), size);
}

/** Move no further than needed to have the nearest of these cells in sight. */
export function keepNearestInSight(camera: Camera, cells: readonly Cell[], size: Size): Camera {
  const distance = ([x, y]: Cell) => Math.hypot(x - camera.x, y - camera.y);
  const [nearest] = [...cells].sort((one, other) => distance(one) - distance(other));
  const { width, height } = uncoveredSize(size);
  if (!nearest || camera.unit > Math.min(width, height)) return camera;
  return panToUncover(camera, boundingBox([nearest]), size);
}
