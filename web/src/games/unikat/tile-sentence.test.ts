// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../../lib/i18n.svelte';
import { describeEvent } from './describe-event';
import { markTile, nameMarkedTiles, splitAtTiles } from './tile-sentence';

beforeAll(() => translations.load('en'));

const LISTENER = { names: ['Max', 'Ola'], you: 0, skin: 'huch' } as const;
const SWAP = {
  kind: 'tile_swapped',
  v: 1,
  at: 0,
  seat: 1,
  give: '1022',
  take: '0000',
  source: 'display',
} as const;

test('every second part of a marked sentence is a tile', () => {
  const parts = splitAtTiles(describeEvent(SWAP, { ...LISTENER, nameTile: markTile }));
  expect(parts).toHaveLength(5);
  expect([parts[1], parts[3]]).toEqual(['1022', '0000']);
});

test('in words it is the sentence for screen readers', () => {
  const marked = describeEvent(SWAP, { ...LISTENER, nameTile: markTile });
  expect(nameMarkedTiles(marked, 'huch')).toBe(describeEvent(SWAP, LISTENER));
});

test('a sentence without tiles is a single part', () => {
  expect(splitAtTiles('Ola passes.')).toEqual(['Ola passes.']);
});
