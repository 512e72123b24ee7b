// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { settings } from '../../../lib/settings.svelte';
import type { Deal, Shape } from '../../../lib/wire';
import { centroid, type Point } from '../hexes';
import { PieceController } from './piece-controller.svelte';
import { LocalPuzzle } from './puzzle-state.svelte';

/** Three rows of three cells, and three pieces of three cells in a row. */
const ROWS: Shape[] = [0, 1, 2].map((r) => [
  [0, r],
  [1, r],
  [2, r],
]);
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
