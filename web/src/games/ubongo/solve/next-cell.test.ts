import { expect, test } from 'vitest';
import type { Hex } from '../../../lib/wire';
import { nextCell } from './next-cell';

/** Rows of cells; each row begins half a cell further to the right than the one above. */
const AREA: Hex[] = [
  [0, 0], [1, 0], [3, 0],
  [-1, 1], [0, 1], [1, 1],
  [-1, 2], [0, 2],
  [-2, 4],
]; // prettier-ignore

test('left and right lead along a row, also over a gap', () => {
  expect(nextCell(AREA, [0, 0], 'ArrowRight')).toEqual([1, 0]);
  expect(nextCell(AREA, [1, 0], 'ArrowRight')).toEqual([3, 0]);
  expect(nextCell(AREA, [3, 0], 'ArrowLeft')).toEqual([1, 0]);
  expect(nextCell(AREA, [3, 0], 'ArrowRight')).toBeNull();
});

test('up and down lead to the next row that has cells, straight ahead', () => {
  expect(nextCell(AREA, [-1, 2], 'ArrowDown')).toEqual([-2, 4]);
  expect(nextCell(AREA, [-2, 4], 'ArrowUp')).toEqual([-1, 2]);
  expect(nextCell(AREA, [0, 0], 'ArrowUp')).toBeNull();
  expect(nextCell(AREA, [-2, 4], 'ArrowDown')).toBeNull();
});

test('down and up again lead back, and not aside', () => {
  let cell: Hex = [0, 0];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'])
    cell = nextCell(AREA, cell, key)!;
  expect(cell).toEqual([0, 0]);
});
