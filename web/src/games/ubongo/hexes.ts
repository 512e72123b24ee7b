/**
 * The hexagonal grid, as in src/pytlik/ubongo/hexes.py: shared vectors keep the two in step
 * (hexes.vectors.json). Below it, cells and outlines in a drawing.
 */

import type { Hex, Shape } from '../../lib/wire';

const DIRECTIONS: readonly Hex[] = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

type Cells = readonly Hex[];

export const cellKey = ([q, r]: Hex): string => `${q},${r}`;
export const sameCells = (one: Cells, two: Cells): boolean =>
  one.length === two.length && one.every((cell, at) => cellKey(cell) === cellKey(two[at]!));

const sortCells = (cells: Hex[]): Shape => cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]);

/** A sixth of a full turn about the origin, clockwise in a drawing. */
export const rotateOnce = (cells: Cells): Shape => sortCells(cells.map(([q, r]) => [0 - r, q + r]));

export const swapAxes = (cells: Cells): Shape => sortCells(cells.map(([q, r]) => [r, q]));

export const moveBy = (cells: Cells, [byQ, byR]: Hex): Shape =>
  sortCells(cells.map(([q, r]) => [q + byQ, r + byR]));

/** The same cells, moved so that the first in order is [0, 0]. */
export function normalize(cells: Cells): Shape {
  const [first] = sortCells([...cells]);
  return moveBy(cells, [-first![0], -first![1]]);
}

/** Swap left and right: what people mean by turning a piece over. */
export const mirror = (cells: Cells): Shape => normalize(rotateOnce(rotateOnce(swapAxes(cells))));

export const rotate = (cells: Cells, sixths: number): Shape => {
  let shape = [...cells];
  for (let left = ((sixths % 6) + 6) % 6; left; left--) shape = rotateOnce(shape);
  return normalize(shape);
};

/** All different normal forms that turning and flipping produce: 1 to 12. */
export function orientations(cells: Cells): Shape[] {
  const found = new Map<string, Shape>();
  for (let sixths = 0; sixths < 6; sixths++) {
    const shape = rotate(cells, sixths);
    for (const form of [shape, normalize(swapAxes(shape))])
      found.set(form.map(cellKey).join(' '), form);
  }
  return [...found.values()];
}

// ------------------------------------------------------------------------------------ in a drawing

export type Point = readonly [x: number, y: number];

/** Cells stand on a corner and have a radius of 1. */
const CELL_WIDTH = Math.sqrt(3);
export const cellCentre = ([q, r]: Hex): Point => [CELL_WIDTH * (q + r / 2), 1.5 * r];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boundingBox(cells: Cells): Box {
  const points = cells.map(cellCentre);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs) - CELL_WIDTH / 2, Math.min(...ys) - 1];
  return { x, y, width: Math.max(...xs) + CELL_WIDTH / 2 - x, height: Math.max(...ys) + 1 - y };
}

export const boxCentre = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

/** The point about which cells turn: it keeps its place among them, however they are turned. */
export function centroid(cells: Cells): Point {
  const points = cells.map(cellCentre);
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  return [mean(0), mean(1)];
}

/** The cell whose centre is nearest to a point. */
export function cellAt([x, y]: Point): Hex {
  const r = y / 1.5;
  const q = x / CELL_WIDTH - r / 2;
  const rounded: Hex = [Math.round(q) + 0, Math.round(r) + 0];
  const candidates = [rounded, ...DIRECTIONS.map((by) => moveBy([rounded], by)[0]!)];
  return nearestOf(candidates, [x, y]);
}

export function nearestOf(cells: Cells, [x, y]: Point): Hex {
  const distanceTo = (cell: Hex) => Math.hypot(cellCentre(cell)[0] - x, cellCentre(cell)[1] - y);
  return cells.reduce((best, cell) => (distanceTo(cell) < distanceTo(best) - 1e-9 ? cell : best));
}

/** The cell by which a piece is held: the one nearest to its middle. */
export const anchorCell = (cells: Cells): Hex => nearestOf(cells, boxCentre(boundingBox(cells)));

export const neighbours = (cell: Hex): Shape => DIRECTIONS.map((by) => moveBy([cell], by)[0]!);

const cellCorner = (cell: Hex, at: number): Point => {
  const angle = (Math.PI / 3) * (at - 0.5);
  const [x, y] = cellCentre(cell);
  return [x + Math.cos(angle), y + Math.sin(angle)];
};

interface OutlineEdge {
  from: Point;
  to: Point;
  /** The direction to the outside. */
  out: Point;
}

const roundToThousandths = (value: number): number => Math.round(value * 1000) / 1000;
const pointKey = ([x, y]: Point): string => `${Math.round(x * 100)} ${Math.round(y * 100)}`;
const interpolate = ([x, y]: Point, [toX, toY]: Point, part: number): Point => [
  x + (toX - x) * part,
  y + (toY - y) * part,
];

/** The outline of cells as a path, inset a little and with soft corners. */
export function outlinePath(cells: Cells, { inset = 0, soft = 0.18 } = {}): string {
  const there = new Set(cells.map(cellKey));
  const sides = new Map<string, OutlineEdge>();
  for (const cell of cells)
    neighbours(cell).forEach((beside, at) => {
      if (there.has(cellKey(beside))) return;
      const angle = (Math.PI / 3) * at;
      const side: OutlineEdge = {
        from: cellCorner(cell, at),
        to: cellCorner(cell, at + 1),
        out: [Math.cos(angle), Math.sin(angle)],
      };
      sides.set(pointKey(side.from), side);
    });
  const paths: string[] = [];
  while (sides.size) {
    const loop: OutlineEdge[] = [];
    let key = sides.keys().next().value!;
    for (let side = sides.get(key); side; side = sides.get(key)) {
      loop.push(side);
      sides.delete(key);
      key = pointKey(side.to);
    }
    paths.push(ringPath(loop, inset, soft));
  }
  return paths.join('');
}

function ringPath(loop: readonly OutlineEdge[], inset: number, soft: number): string {
  const corners = loop.map((side, at): Point => {
    const before = loop.at(at - 1)!.out;
    const scale = inset / (1 + before[0] * side.out[0] + before[1] * side.out[1]);
    return [
      side.from[0] - scale * (before[0] + side.out[0]),
      side.from[1] - scale * (before[1] + side.out[1]),
    ];
  });
  const steps = corners.map((point, at) => {
    const [a, b] = interpolate(point, corners.at(at - 1)!, soft).map(roundToThousandths);
    const [c, d] = interpolate(point, corners[(at + 1) % corners.length]!, soft).map(
      roundToThousandths,
    );
    return `${at ? 'L' : 'M'}${a} ${b}Q${roundToThousandths(point[0])} ${roundToThousandths(point[1])} ${c} ${d}`;
  });
  return `${steps.join('')}Z`;
}
