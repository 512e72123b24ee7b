import { expect, test } from 'vitest';
import type { Cell, Tile } from '../../../lib/wire';
import { findHint } from './hint';
import { boardMap } from '../placement';

const TABLE = boardMap([
  [0, 0, '0000'],
  [1, 0, '0001'],
  [0, 1, '0010'],
]);

const FITS: Partial<Record<Tile, Cell[]>> = {
  '1000': [[-1, 0]],
  '0011': [
    [2, 0],
    [1, 1],
  ],
};
const placesOf = (tile: Tile) => FITS[tile] ?? [];

test('a place that touches two tiles is better than one that touches one', () => {
  expect(findHint(['1000', '0011'], placesOf, TABLE)).toEqual({ tile: '0011', cell: [1, 1] });
});

test('any place is better than none', () => {
  expect(findHint(['2222', '1000'], placesOf, TABLE)).toEqual({ tile: '1000', cell: [-1, 0] });
});

test('there is no hint if nothing fits', () => {
  expect(findHint(['2222'], placesOf, TABLE)).toBeNull();
});
