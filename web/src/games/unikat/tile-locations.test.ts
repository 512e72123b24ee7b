import { expect, it } from 'vitest';
import type { UnikatView } from '../../lib/wire';
import { ALL_TILES, locateTiles } from './tile-locations';

it('knows all tiles', () => {
  expect(new Set(ALL_TILES).size).toBe(81);
});

it('locates tiles, but only as far as the seat may know', () => {
  const view = {
    board: [[0, 0, '0000']],
    hands: [],
    hand: ['0001'],
    display: ['0002'],
    known: [['0001'], ['0010']],
  } as unknown as UnikatView;
  const where = locateTiles(view);
  expect(['0000', '0001', '0002', '0010', '2222'].map((tile) => where.get(tile as never))).toEqual([
    'board',
    'hand',
    'display',
    'known',
    'unseen',
  ]);
});

it('locates the tiles of open hands at the end', () => {
  const view = { board: [], hands: [['0001'], []], hand: [], display: [], known: [[], []] };
  expect(locateTiles(view as unknown as UnikatView).get('0001')).toBe('known');
});
