import { expect, test } from 'vitest';
import type { Cell } from '../../../lib/wire';
import { nearestOffscreenPlaces } from './offscreen-places';
import { clampToBoard, largestVisibleGroup } from './camera';

const PLACES: Cell[] = [
  [0, 0],
  [1, 2],
  [2, 1],
  [20, 0],
  [21, 1],
];

test('as many places as possible are shown together', () => {
  expect(largestVisibleGroup(PLACES, [4, 4], { x: 20, y: 0 })).toEqual(PLACES.slice(0, 3));
});

test('of equally large groups, the nearest is shown', () => {
  expect(largestVisibleGroup(PLACES, [1, 1], { x: 20, y: 0 })).toEqual([[20, 0]]);
  expect(largestVisibleGroup(PLACES, [1, 1], { x: 0, y: 1 })).toEqual([[0, 0]]);
});

test('a screen smaller than a place shows one of them', () => {
  expect(largestVisibleGroup(PLACES, [0.4, -0.8], { x: 20, y: 0 })).toEqual([[20, 0]]);
});

const BOX = { left: 0, top: 0, right: 20, bottom: 4 };
const SIZE = { width: 100, height: 100 };

test('a board larger than the screen leaves no empty space around it', () => {
  // Ten cells are in sight: the board is twice as wide, and not as high.
  expect(clampToBoard({ x: 1, y: 9, unit: 10 }, BOX, SIZE)).toEqual({ x: 5, y: 2, unit: 10 });
  expect(clampToBoard({ x: 7, y: 2, unit: 10 }, BOX, SIZE)).toEqual({ x: 7, y: 2, unit: 10 });
});

test('places out of sight are grouped by side, with the nearest of each', () => {
  const sight = { camera: { x: 0, y: 0, unit: 10 }, size: SIZE };
  const places: Cell[] = [
    [1, 1],
    [9, 1],
    [7, -1],
    [0, -30],
    [-6, 2],
  ];
  expect(nearestOffscreenPlaces(places, sight)).toEqual([
    { side: 'right', nearest: [7, -1] },
    { side: 'up', nearest: [0, -30] },
    { side: 'left', nearest: [-6, 2] },
  ]);
});
