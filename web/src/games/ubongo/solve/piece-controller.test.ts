// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { settings } from '../../../lib/settings.svelte';
import type { Deal, Shape } from '../../../lib/wire';
import { centroid, moveBy, type Point } from '../hexes';
import { PieceController } from './piece-controller.svelte';
import { LocalPuzzle } from './puzzle-state.svelte';

/** Three rows of three cells, and three pieces of three cells in a row. */
const ROWS: Shape[] = [0, 1, 2].map((r) => [
  [0, r],
  [1, r],
  [2, r],
]);
const COLUMN: Shape = ROWS.map(([cell]) => cell!);
const DEAL = {
  card: 1,
  side: 3,
  area: ROWS.flat(),
  pieces: { 4: ROWS[0], 6: ROWS[0], 9: ROWS[0] },
} as unknown as Deal;

const solve = () => new PieceController(new LocalPuzzle(DEAL));

afterEach(() => {
  vi.unstubAllGlobals();
  settings.set('vibration', true);
});

test('after a piece is placed, the next one in the tray is chosen', () => {
  const controller = solve();
  expect(controller.chosen).toBe(4);
  controller.placeIfFits(4, ROWS[0]!);
  expect(controller.chosen).toBe(6);
});

test('the next one is to the right, and after the last comes the first', () => {
  const controller = solve();
  controller.placeIfFits(6, ROWS[0]!);
  expect(controller.chosen).toBe(9);
  controller.placeIfFits(9, ROWS[1]!);
  expect(controller.chosen).toBe(4);
  controller.placeIfFits(4, ROWS[2]!);
  expect(controller.chosen).toBeNull();
});

test('turning after placing leaves the placed piece alone', () => {
  const controller = solve();
  controller.placeIfFits(4, ROWS[0]!);
  const before = controller.currentForm(6);
  controller.turn(1);
  expect(controller.card.placed).toEqual({ 4: ROWS[0] });
  expect(controller.currentForm(6)).not.toEqual(before);
});

test('after a hint has placed the chosen piece, the next one is chosen', () => {
  const card = new LocalPuzzle(DEAL);
  const controller = new PieceController(card);
  controller.choose(6);
  card.recordPlacement(4, ROWS[0]!);
  controller.onPlacedChanged(card.placed);
  expect(controller.chosen).toBe(6);
  card.recordPlacement(6, ROWS[1]!);
  controller.onPlacedChanged(card.placed);
  expect(controller.chosen).toBe(9);
});

test('a chosen piece on the card stays chosen when others are placed', () => {
  const card = new LocalPuzzle(DEAL);
  const controller = new PieceController(card);
  card.recordPlacement(4, ROWS[0]!);
  controller.onPlacedChanged(card.placed);
  controller.choose(4);
  card.recordPlacement(6, ROWS[1]!);
  controller.onPlacedChanged(card.placed);
  expect(controller.chosen).toBe(4);
});

test('a piece that does not fit stays chosen', () => {
  const controller = solve();
  controller.placeIfFits(4, ROWS[0]!);
  controller.choose(9);
  expect(controller.placeIfFits(9, ROWS[0]!)).toBe(false);
  expect(controller.chosen).toBe(9);
});

test('a tap chooses a piece, another one turns it', () => {
  const controller = solve();
  const before = controller.currentForm(9);
  controller.tapPiece(9);
  expect(controller.chosen).toBe(9);
  expect(controller.currentForm(9)).toEqual(before);
  controller.tapPiece(9);
  expect(controller.currentForm(9)).not.toEqual(before);
});

test('a finger holds the same part of a piece, however it is turned and flipped', () => {
  const controller = solve();
  const held = (): Point => {
    const [x, y] = centroid(controller.currentForm(4));
    return [x + controller.grip[0], y + controller.grip[1]];
  };
  const rounded = ([x, y]: Point) => [
    Math.round(x * 1000) / 1000 + 0,
    Math.round(y * 1000) / 1000 + 0,
  ];
  controller.grip = [Math.sqrt(3), 0];
  // The right end of a row; after a turn to the right, the lower end of a diagonal.
  expect(rounded(held())).toEqual([3.464, 0]);
  controller.turn(1);
  expect(rounded(held())).toEqual([1.732, 3]);
  controller.turn(-1);
  expect(rounded(held())).toEqual([3.464, 0]);
  controller.flip();
  expect(rounded(held())).toEqual([0, 0]);
});

test.each([
  { enabled: true, times: 1 },
  { enabled: false, times: 0 },
])('a phone vibrates when a piece is placed, if enabled: $enabled', ({ enabled, times }) => {
  const vibrated = vi.fn();
  vi.stubGlobal('navigator', { vibrate: vibrated, userActivation: { hasBeenActive: true } });
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  settings.set('vibration', enabled);
  const controller = solve();
  controller.placeIfFits(4, ROWS[0]!);
  expect(vibrated).toHaveBeenCalledTimes(times);
  controller.placeIfFits(6, ROWS[0]!);
  expect(vibrated).toHaveBeenCalledTimes(times);
});

test('turning a placed piece picks it up, and it hovers where it lay', () => {
  const controller = solve();
  controller.placeIfFits(4, ROWS[1]!);
  controller.choose(4);
  controller.turn(1);
  expect(controller.card.placed).toEqual({});
  expect([controller.chosen, controller.hovering, controller.cursor]).toEqual([4, true, [1, 1]]);
  expect(controller.ghost).toEqual({ piece: 4, cells: moveBy(COLUMN, [1, 0]), fits: true });
  controller.turn(-1);
  expect(controller.ghost).toEqual({ piece: 4, cells: ROWS[1], fits: true });
});

test('a piece that is taken off keeps its orientation', () => {
  const controller = solve();
  controller.placeIfFits(4, COLUMN);
  const form = controller.currentForm(4);
  controller.takeOff(4);
  expect(controller.card.placed).toEqual({});
  expect(controller.chosen).toBe(4);
  expect(controller.currentForm(4)).toEqual(form);
});

test('on an inactive card nothing is placed, turned or taken off', () => {
  const card = new LocalPuzzle(DEAL);
  const controller = new PieceController(card);
  controller.placeIfFits(4, ROWS[0]!);
  card.active = false;
  const before = controller.currentForm(6);
  controller.turn(1);
  controller.takeOff(4);
  expect(controller.placeIfFits(6, ROWS[1]!)).toBe(false);
  expect(card.placed).toEqual({ 4: ROWS[0] });
  expect(controller.currentForm(6)).toEqual(before);
});

test('each refusal is shown for the full time', () => {
  vi.useFakeTimers();
  const controller = solve();
  const outside = moveBy(ROWS[0]!, [1, 0]);
  controller.placeIfFits(4, ROWS[0]!);
  controller.placeIfFits(6, outside);
  vi.advanceTimersByTime(1000);
  controller.placeIfFits(6, ROWS[0]!);
  vi.advanceTimersByTime(1000);
  expect(controller.refused?.why).toBe('occupied');
  expect(controller.ghost).toEqual({ piece: 6, cells: ROWS[0], fits: false });
  vi.advanceTimersByTime(600);
  expect([controller.refused, controller.ghost]).toEqual([null, null]);
  vi.useRealTimers();
});

test('Enter places a piece, or chooses the one that lies there', () => {
  const controller = solve();
  controller.hovering = true;
  controller.activateCell([1, 0]);
  expect(controller.card.placed).toEqual({ 4: ROWS[0] });
  controller.activateCell([2, 0]);
  expect(controller.chosen).toBe(4);
  controller.choose(6);
  controller.hovering = true;
  controller.activateCell([1, 0]);
  expect([controller.chosen, controller.refused?.why]).toEqual([6, 'occupied']);
});

test('tapping a free cell covers it in any way that fits', () => {
  for (const cell of ROWS[1]!) {
    const controller = solve();
    controller.tapCell(cell);
    expect(controller.card.placed, String(cell)).toEqual({ 4: ROWS[1] });
  }
  const controller = solve();
  controller.turn(1);
  controller.tapCell([0, 0]);
  controller.tapCell([2, 0]);
  expect(Object.keys(controller.card.placed)).toEqual(['4']);
  expect(controller.refused).not.toBeNull();
});

describe('a dragged piece', () => {
  const drag = (controller: PieceController, [x, y]: Point) => {
    controller.dragOver(6, ROWS[0]!, [x, y]);
    return controller.dragged;
  };
  const middleOf = (row: number) => centroid(ROWS[row]!);

  test('snaps to the nearest place where it fits', () => {
    const controller = solve();
    const [x, y] = middleOf(1);
    expect(drag(controller, [x, y])).toEqual({ piece: 6, cells: ROWS[1], fits: true });
    // Over half a cell to the side, where it would reach over the border.
    expect(drag(controller, [x + 1, y])).toMatchObject({ cells: ROWS[1], fits: true });
    expect(drag(controller, [x + 1.6, y])).toMatchObject({ fits: false });
  });

  test('snaps to the nearer of two places', () => {
    const controller = solve();
    const [[x, y], [toX, toY]] = [middleOf(0), middleOf(1)];
    const between = (part: number): Point => [x + part * (toX - x), y + part * (toY - y)];
    expect(drag(controller, between(0.4))).toMatchObject({ cells: ROWS[0], fits: true });
    expect(drag(controller, between(0.6))).toMatchObject({ cells: ROWS[1], fits: true });
  });

  test('does not snap onto another piece', () => {
    const controller = solve();
    controller.placeIfFits(4, ROWS[0]!);
    const [x, y] = middleOf(0);
    expect(drag(controller, [x, y - 0.3])).toMatchObject({ cells: ROWS[0], fits: false });
  });

  test('has no ghost away from the card', () => {
    const controller = solve();
    drag(controller, middleOf(1));
    expect(drag(controller, [40, 40])).toBeNull();
  });
});
