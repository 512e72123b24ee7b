import { expect, test } from 'vitest';
import looks from '../../../../src/pytlik/unikat/looks.json';
import { PATTERNS, scaleSymbolPath, tileAppearance } from './appearance';
import { ALL_TILES } from './tile-locations';

test("a path is placed in the middle of the tile, in its symbol's size", () => {
  // The middle is at 50, 48.
  expect(scaleSymbolPath('M-44-44H44V44H-44Z', 0.5)).toBe('M28 26H72V70H28Z');
  expect(scaleSymbolPath('M0-50A50 50 0 1 1 0 50Z', 0.4)).toBe('M50 28A20 20 0 1 1 50 68Z');
  expect(scaleSymbolPath('M0-55L13.5-18.6Z', 1)).toBe('M50 -7L63.5 29.4Z');
});

test('shapes use only known path commands', () => {
  for (const path of Object.values(looks.shapes)) expect(path).toMatch(/^[MLHVAZ\d .-]+$/);
});

test.each(['huch', 'granna'] as const)(
  'every pattern of a tile of %s is in the document',
  (skin) => {
    const known = new Set(PATTERNS.map(({ id }) => `url(#${id})`));
    const fills = ALL_TILES.map((tile) => tileAppearance(tile, skin, true).fill);
    const patterns = fills.filter((fill) => fill.startsWith('url'));
    expect(new Set(patterns)).toEqual(new Set([...known].filter((id) => id.includes(skin))));
  },
);
