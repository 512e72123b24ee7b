import { expect, it } from 'vitest';
import type { Stone, UnikatView } from '../../lib/wire';
import { ALL_TILES, forcedCells, whereabouts } from './forced-cells';

const seen = (board: Stone[], change: Partial<UnikatView> = {}): UnikatView =>
  ({ board, hand: [], display: [], known: [], hands: [], ...change }) as unknown as UnikatView;

it('knows all tiles', () => {
  expect(new Set(ALL_TILES).size).toBe(81);
});

it('finds the one tile that closes a corner', () => {
  const board: Stone[] = [
    [0, 0, '0000'],
    [1, 0, '0001'],
    [0, 1, '0010'],
  ];
  expect(forcedCells(seen(board))).toEqual([{ cell: [1, 1], tile: '0011', available: true }]);
});

it('says when it has been laid elsewhere', () => {
  const board: Stone[] = [
    [0, 0, '0000'],
    [1, 0, '0001'],
    [0, 1, '0010'],
    [2, 0, '0011'],
  ];
  const here = forcedCells(seen(board)).find(({ cell }) => cell[0] === 1 && cell[1] === 1);
  expect(here).toEqual({ cell: [1, 1], tile: '0011', available: false });
});

it('tells where a tile is, and no more than the seat may know', () => {
  const view = seen([[0, 0, '0000']], {
    hand: ['0001'],
    display: ['0002'],
    known: [['0001'], ['0010']],
  });
  const where = whereabouts(view);
  expect(['0000', '0001', '0002', '0010', '2222'].map((tile) => where.get(tile as never))).toEqual([
    'board',
    'hand',
    'display',
    'known',
    'unseen',
  ]);
});
