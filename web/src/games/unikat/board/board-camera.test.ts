// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cell } from '../../../lib/wire';
import { BoardCamera } from './board-camera.svelte';
import {
  boundingBox,
  contains,
  LARGEST_CELL_PX,
  SMALLEST_CELL_PX,
  TAPPABLE_CELL_PX,
  visibleBox,
} from './camera';

const SIZE = { width: 600, height: 600 };
const row = (from: number, to: number): Cell[] =>
  Array.from({ length: to - from + 1 }, (_, at): Cell => [from + at, 0]);

let resize: () => void;
let board: BoardCamera;
let size = SIZE;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'clearTimeout',
      'requestAnimationFrame',
      'performance',
      'cancelAnimationFrame',
    ],
  });
  size = SIZE;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  board = new BoardCamera();
  board.viewport({
    get clientWidth() {
      return size.width;
    },
    get clientHeight() {
      return size.height;
    },
    getBoundingClientRect: () => new DOMRect(100, 50, size.width, size.height),
  } as HTMLElement);
  board.followBoard(row(0, 2), [], []);
  resize();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Let the camera glide to its end. */
const settle = () => vi.runAllTimers();
const sees = (cells: readonly Cell[]) =>
  contains(visibleBox(board.camera, board.size), boundingBox(cells));

test('it shows the board as soon as there is room', () => {
  expect(sees(row(0, 2))).toBe(true);
  expect(board.moving).toBe(false);
});

test('on a large screen, fewestAcross sets the size of the first tiles', () => {
  size = { width: 1400, height: 900 };
  resize();
  const usual = board.camera.unit;
  board.fewestAcross = 5;
  resize();
  expect(board.camera.unit / usual).toBeCloseTo(7 / 5);
  expect(sees(row(0, 2))).toBe(true);
});

test('it glides to a tile laid out of sight, and settles there', () => {
  board.followBoard(row(0, 14), [], [[14, 0]]);
  expect(board.moving).toBe(true);
  expect(sees([[14, 0]])).toBe(false);
  settle();
  expect(sees(row(0, 14))).toBe(true);
  expect(board.moving).toBe(false);
  expect(board.settledUnit).toBe(board.camera.unit);
});

test('after panning by hand, it moves no further than needed', () => {
  const { unit } = board.camera;
  board.pan({ x: -unit, y: 0 });
  settle();
  const { x } = board.camera;
  board.followBoard(row(0, 2), [], [[2, 0]]);
  settle();
  expect(board.camera.x).toBe(x);
  board.followBoard(row(0, 12), [], [[12, 0]]);
  settle();
  expect(sees([[12, 0]])).toBe(true);
  expect(board.camera.unit).toBe(unit);
});

test('panning follows the finger, and stops at the edge of the board', () => {
  const { x, unit } = board.camera;
  board.pan({ x: unit / 2, y: 0 });
  expect(board.camera.x).toBeCloseTo(x - 0.5);
  expect(board.camera.unit).toBe(unit);
  board.pan({ x: 100 * unit, y: 0 });
  expect(board.camera.x).toBeGreaterThanOrEqual(-1);
});

test('panning and zooming never lose sight of all tiles', () => {
  // The board has a corner where nothing lies.
  const tiles: Cell[] = [...row(0, 9), ...Array.from({ length: 9 }, (_, y): Cell => [0, y])];
  board.followBoard(tiles, [], [[9, 0]]);
  settle();
  for (let times = 0; times < 6; times++) board.zoom(1.5, { x: 200, y: 150 });
  board.pan({ x: -5000, y: -5000 });
  expect(tiles.some((tile) => sees([tile]))).toBe(true);
});

test('zooming keeps the point under the fingers in place, within limits', () => {
  const middleOf = ({ left, top, width }: DOMRect) => [left + width / 2, top + width / 2];
  const [x, y] = middleOf(board.rectOf([2, 0])) as [number, number];
  const point = { x: x - 100, y: y - 50 };
  board.zoom(1.2, point);
  const after = middleOf(board.rectOf([2, 0]));
  expect(after[0]).toBeCloseTo(x);
  expect(after[1]).toBeCloseTo(y);
  for (let times = 0; times < 40; times++) board.zoom(1.5, point);
  expect(board.camera.unit).toBe(LARGEST_CELL_PX);
  for (let times = 0; times < 40; times++) board.zoom(0.5, point);
  expect(board.camera.unit).toBe(SMALLEST_CELL_PX);
});

test('rotating the screen keeps the board in sight, unless it was moved by hand', () => {
  size = { width: 300, height: 700 };
  resize();
  expect(board.size).toEqual(size);
  expect(sees(row(0, 2))).toBe(true);
  board.pan({ x: -10, y: 0 });
  const before = board.camera;
  size = SIZE;
  resize();
  expect(board.camera).toBe(before);
});

test('target places are large enough for a finger', () => {
  board.followBoard(row(0, 40), [], [[40, 0]]);
  settle();
  expect(board.camera.unit).toBeLessThan(TAPPABLE_CELL_PX);
  board.setTargets([[41, 0]]);
  settle();
  expect(board.camera.unit).toBeGreaterThanOrEqual(TAPPABLE_CELL_PX);
  expect(sees([[41, 0]])).toBe(true);
});

/** Build a turn: choose each tile, then put it down beside the one before. */
function buildChain(board: BoardCamera, laid: Cell[], chain: Cell[]): void {
  chain.forEach((cell, at) => {
    board.setTargets([cell, [cell[0] - 1, cell[1] + 1]]);
    settle();
    board.setTargets(null);
    const down = chain.slice(0, at + 1);
    board.followBoard([...laid, ...down], around([...laid, ...down]), [cell], { drafting: true });
    settle();
  });
}
const around = (tiles: Cell[]): Cell[] =>
  tiles.flatMap(([x, y]): Cell[] => [
    [x + 1, y],
    [x - 1, y],
    [x, y + 1],
    [x, y - 1],
  ]);

test('while a chain is built on a large board, the camera zooms in once and stays', () => {
  const laid = row(0, 20);
  board.followBoard(laid, around(laid), [[20, 0]]);
  settle();
  const whole = board.camera;
  expect(whole.unit).toBeLessThan(TAPPABLE_CELL_PX);
  buildChain(board, laid, [[10, 1]]);
  const near = board.camera;
  expect(near.unit).toBeGreaterThanOrEqual(TAPPABLE_CELL_PX);
  buildChain(
    board,
    [...laid, [10, 1]],
    [
      [10, 2],
      [11, 2],
    ],
  );
  expect(board.camera).toEqual(near);
  // Also when all of it is taken back.
  board.followBoard(laid, around(laid), [[20, 0]]);
  settle();
  expect(board.camera).toEqual(near);
  // Once the turn is over, the board is shown as before.
  board.endTurn();
  board.followBoard(laid, around(laid), [[20, 0]]);
  settle();
  expect(board.camera.unit).toBeCloseTo(whole.unit);
});

test('the camera follows a chain off the screen at the same scale', () => {
  const laid = row(0, 20);
  board.followBoard(laid, around(laid), [[20, 0]]);
  settle();
  board.setTargets([[20, 1]]);
  settle();
  const { unit } = board.camera;
  const chain = Array.from({ length: 9 }, (_, at): Cell => [20, at + 1]);
  buildChain(board, laid, chain);
  expect(board.camera.unit).toBe(unit);
  expect(sees(around([[20, 9]]))).toBe(true);
});

test('a small resize does not move the camera while a turn is built', () => {
  const laid = row(0, 20);
  board.followBoard(laid, around(laid), [[20, 0]]);
  settle();
  buildChain(board, laid, [[10, 1]]);
  const before = board.camera;
  size = { width: 600, height: 570 };
  resize();
  settle();
  expect(board.camera).toEqual(before);
});

test('a place under the buttons counts as out of sight', () => {
  const { top } = board.rectOf([1, 0]);
  const below = Math.floor((50 + SIZE.height - top) / board.camera.unit) - 1;
  expect(sees([[1, below]])).toBe(true);
  board.setTargets([[1, below]]);
  settle();
  const lower = board.rectOf([1, below]).bottom;
  expect(lower).toBeLessThanOrEqual(50 + SIZE.height - 56 + 0.001);
});

test('the whole board is shown until the turn is over', () => {
  board.followBoard(row(0, 40), [], [[40, 0]]);
  settle();
  expect(sees(row(0, 40))).toBe(false);
  board.showWholeBoard();
  settle();
  expect(sees(row(0, 40))).toBe(true);
  board.endTurn();
  board.followBoard(row(0, 41), [], [[41, 0]]);
  settle();
  expect(sees(row(0, 41))).toBe(false);
  expect(sees([[41, 0]])).toBe(true);
});

test('a place is hit inside its rectangle, and attracts near misses', () => {
  const { left, top, width, height } = board.rectOf([1, 0]);
  const middle = { x: left + width / 2, y: top + height / 2 };
  expect(board.snappedCellAt(middle, [])).toEqual([1, 0]);
  const beside = { x: left + width + 4, y: middle.y };
  expect(board.snappedCellAt(beside, [])).toEqual([2, 0]);
  expect(board.snappedCellAt(beside, [[1, 0]])).toEqual([1, 0]);
  expect(board.snappedCellAt(beside, [[1, 0]], [[2, 0]])).toEqual([2, 0]);
  expect(board.snappedCellAt({ x: 10, y: 10 }, [])).toBeNull();
});

test('panning takes time only if the upcoming tiles are out of sight', () => {
  expect(board.panToUpcoming([[1, 0]])).toBe(0);
  expect(board.panToUpcoming([[25, 0]])).toBeGreaterThan(0);
  settle();
  expect(sees([[25, 0]])).toBe(true);
});

test('followed tiles stay clear of the covered edges', () => {
  size = { width: 360, height: 190 };
  resize();
  const column = [0, 1, 2].map((y): Cell => [0, y]);
  board.followBoard(column, [], [[0, 0]]);
  settle();
  const top = () => board.rectOf([0, 0]).top - 50;
  expect(top()).toBeGreaterThanOrEqual(32);
  expect(top()).toBeLessThan(60);
  board.setCoveredEdges({ top: 60, bottom: 56 });
  settle();
  expect(top()).toBeGreaterThanOrEqual(60);
  // A board that was moved by hand stays where it is.
  board.pan({ x: 0, y: -5 });
  settle();
  const moved = top();
  board.setCoveredEdges({ top: 80, bottom: 56 });
  settle();
  expect(top()).toBe(moved);
});

test('the camera holds still while new tiles are in sight', () => {
  const before = board.camera;
  board.followBoard(row(0, 3), [], [[3, 0]]);
  settle();
  expect(board.camera).toBe(before);
});

test.each([10, 25])(
  'after a board of %i columns, a new round is shown as large as the first',
  (last) => {
    const first = board.camera;
    board.panToUpcoming([[last, 0]]);
    settle();
    board.followBoard(row(0, last), [], [[last, 0]]);
    settle();
    expect(board.camera.unit).toBeLessThan(0.7 * first.unit);
    board.followBoard(row(0, 2), [], []);
    settle();
    expect(board.camera).toEqual(first);
  },
);

test('cells about to be filled stay in sight until they are filled', () => {
  board.panToUpcoming([[10, 0]]);
  settle();
  board.followBoard(row(0, 3), [], [[3, 0]]);
  settle();
  expect(sees([[10, 0]])).toBe(true);
});

test('a board moved by hand keeps its scale after the turn', () => {
  board.zoom(0.5, { x: 400, y: 350 });
  const { unit } = board.camera;
  board.endTurn();
  board.followBoard(row(0, 2), [], [[2, 0]]);
  settle();
  expect(board.camera.unit).toBe(unit);
  expect(board.panToUpcoming([[2, 0]])).toBe(0);
  expect(board.panToUpcoming([[25, 0]])).toBeGreaterThan(0);
  settle();
  expect(sees([[25, 0]])).toBe(true);
  expect(board.camera.unit).toBe(unit);
});

test('targets do not move the camera while the whole board is shown', () => {
  board.followBoard(row(0, 40), [], [[40, 0]]);
  settle();
  board.showWholeBoard();
  settle();
  const whole = board.camera;
  board.setTargets([[41, 0]]);
  settle();
  expect(board.camera).toEqual(whole);
});

test('on a small board the places around the tiles are in sight', () => {
  board.followBoard(row(0, 4), around(row(0, 4)), [[4, 0]]);
  settle();
  expect(sees(around(row(0, 4)))).toBe(true);
});

test('zooming into an empty corner keeps a tile in sight', () => {
  const tiles: Cell[] = [...row(0, 9), ...Array.from({ length: 9 }, (_, y): Cell => [0, y])];
  board.followBoard(tiles, [], [[9, 0]]);
  settle();
  board.zoom(4, { x: 690, y: 640 });
  expect(tiles.some((tile) => sees([tile]))).toBe(true);
});

test('cells never get smaller than the minimum, even on a huge board', () => {
  board.followBoard(row(0, 200), [], []);
  board.showWholeBoard();
  settle();
  expect(board.camera.unit).toBe(SMALLEST_CELL_PX);
});

test('as many targets as possible are shown if they do not all fit', () => {
  board.followBoard(row(0, 40), [], [[20, 0]]);
  board.setTargets([[20, 1]]);
  settle();
  board.setTargets([[0, 1], [1, 1], [40, 1]]); // prettier-ignore
  settle();
  // At the very edge of the screen: it moves no further than needed.
  expect(board.rectOf([0, 1]).left).toBeCloseTo(100);
});

test('a new chain wider than the screen is shown as a whole after zooming in', () => {
  for (let times = 0; times < 5; times++) board.zoom(1.5, { x: 400, y: 350 });
  board.followBoard(row(0, 20), [], row(12, 20));
  settle();
  expect(sees(row(12, 20))).toBe(true);
});

test('reveal brings a cell into sight', () => {
  board.followBoard(row(0, 40), [], [[0, 0]]);
  settle();
  expect(sees([[40, 0]])).toBe(false);
  board.reveal([[40, 0]]);
  settle();
  expect(sees([[40, 0]])).toBe(true);
});

test('a finger may miss a small cell by more than half its size', () => {
  for (let times = 0; times < 9; times++) board.zoom(0.5, { x: 400, y: 350 });
  const { left, top, width, height } = board.rectOf([1, 0]);
  const beside = { x: left + width / 2 + 25, y: top + height / 2 };
  expect(board.snappedCellAt(beside, [[1, 0]])).toEqual([1, 0]);
  expect(board.snappedCellAt({ ...beside, x: beside.x + 2 }, [[1, 0]])).not.toEqual([1, 0]);
});

test.each([
  { x: 99, y: 350 },
  { x: 701, y: 350 },
  { x: 400, y: 49 },
  { x: 400, y: 651 },
])('there is no cell beside the board, at $x, $y', (point) => {
  expect(board.snappedCellAt(point, [[1, 0]])).toBeNull();
});
