import { expect, test } from 'vitest';
import type { Hex } from '../../../lib/wire';
import { nextCell } from './next-cell';

/** A row lies half a cell further to the right than the one above it. */
const AREA: Hex[] = [
  [0, 0], [1, 0], [3, 0],
  [-1, 1], [0, 1], [1, 1],
  [-1, 2], [0, 2],
  [-2, 4],
]; // prettier-ignore

test('left and right move along a row, even across a gap', () => {
  expect(nextCell(AREA, [0, 0], 'ArrowRight')).toEqual([1, 0]);
  expect(nextCell(AREA, [1, 0], 'ArrowRight')).toEqual([3, 0]);
  expect(nextCell(AREA, [3, 0], 'ArrowLeft')).toEqual([1, 0]);
  expect(nextCell(AREA, [3, 0], 'ArrowRight')).toBeNull();
});

test('up and down move to the next row that has cells', () => {
  expect(nextCell(AREA, [-1, 2], 'ArrowDown')).toEqual([-2, 4]);
  expect(nextCell(AREA, [-2, 4], 'ArrowUp')).toEqual([-1, 2]);
  expect(nextCell(AREA, [0, 0], 'ArrowUp')).toBeNull();
  expect(nextCell(AREA, [-2, 4], 'ArrowDown')).toBeNull();
});

test('moving down and up again returns to the same cell', () => {
  let cell: Hex = [0, 0];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'])
    cell = nextCell(AREA, cell, key)!;
  expect(cell).toEqual([0, 0]);
});
