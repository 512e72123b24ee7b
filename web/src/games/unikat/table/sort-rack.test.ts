import { expect, it } from 'vitest';
import type { Tile } from '../../../lib/wire';
import { areLinked, RACK_ORDERS, sortRack } from './sort-rack';

const HAND: Tile[] = ['2102', '0000', '1102', '0001', '2222', '0011', '1100'];

it.each(RACK_ORDERS)('%s keeps every tile', (order) => {
  expect(sortRack(HAND, order).sort()).toEqual([...HAND].sort());
});

it('sorts by one feature first', () => {
  const sizes = sortRack(HAND, 'size').map((tile) => tile[2]);
  expect(sizes).toEqual([...sizes].sort());
});

it('puts the longest row of tiles that could touch each other first', () => {
  const row = sortRack(HAND, 'links');
  const links = row.slice(1).map((tile, index) => areLinked(row[index]!, tile));
  expect(links.indexOf(false)).toBe(2);
  expect(links.filter(Boolean)).toHaveLength(4);
});

it('is quick with a full hand of tiles that are all alike', () => {
  const alike: Tile[] = [
    '0000',
    '0001',
    '0002',
    '0010',
    '0011',
    '0012',
    '0020',
    '0021',
    '0022',
    '0100',
  ];
  const row = sortRack(alike, 'links');
  expect(row.slice(1).every((tile, index) => areLinked(row[index]!, tile))).toBe(true);
});
