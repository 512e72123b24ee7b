import { expect, it } from 'vitest';
import type { Stone, UnikatView } from '../../lib/wire';
import { findCornerCells } from './corner-cells';

const viewOf = (board: Stone[]): UnikatView => ({ board }) as unknown as UnikatView;

it('finds the one tile that closes a corner', () => {
  const board: Stone[] = [
    [0, 0, '0000'],
    [1, 0, '0001'],
    [0, 1, '0010'],
  ];
  expect(findCornerCells(viewOf(board))).toEqual([{ cell: [1, 1], tile: '0011', available: true }]);
});

it('says when it has been laid elsewhere', () => {
  const board: Stone[] = [
    [0, 0, '0000'],
    [1, 0, '0001'],
    [0, 1, '0010'],
    [2, 0, '0011'],
  ];
  const here = findCornerCells(viewOf(board)).find(({ cell }) => cell[0] === 1 && cell[1] === 1);
  expect(here).toEqual({ cell: [1, 1], tile: '0011', available: false });
});
