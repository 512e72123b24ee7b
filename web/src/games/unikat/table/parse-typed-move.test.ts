// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { translations } from '../../../lib/i18n.svelte';
import type { Tile, UnikatView } from '../../../lib/wire';
import { parseTypedMove } from './parse-typed-move';

const rack: Tile[] = ['0210', '0211', '1000'];
const view = { display: ['2222', '2221'], choices: { draw: false } } as unknown as UnikatView;
const drawing = { ...view, choices: { draw: true } } as unknown as UnikatView;
const meaning = (text: string, of = view) => parseTypedMove(text, { view: of, rack, skin: 'huch' });

beforeAll(() => translations.load('en'));

it.each([
  ['0210 3,4', [['0210', 3, 4]]],
  [
    'a 3, -4 b 3,-5',
    [
      ['0210', 3, -4],
      ['0211', 3, -5],
    ],
  ],
  ['lay square 0,1', [['1000', 0, 1]]],
  ['circle blue white 1,0', [['0210', 1, 0]]],
])('%s lays', (text, tiles) => {
  expect(meaning(text)).toEqual({ kind: 'lay', tiles });
});

it.each([
  ['swap c bag', { kind: 'swap', give: '1000', take: 'bag' }],
  ['swap square 2', { kind: 'swap', give: '1000', take: '2221' }],
  ['swap a cross grey', { kind: 'swap', give: '0210', take: '2221' }],
  ['take 1', { kind: 'draw', take: '2222' }],
  ['draw 1', { kind: 'draw', take: '2222' }],
  ['done', { kind: 'decline' }],
  ['pass', { kind: 'pass' }],
])('%s', (text, action) => {
  expect(meaning(text)).toEqual(action);
});

it('knows the words of the language, with or without accents, and English ones', async () => {
  await translations.load('fr');
  const swap = { kind: 'swap', give: '1000', take: 'bag' };
  expect(meaning('échanger c sac')).toEqual(swap);
  expect(meaning('Echanger c sac')).toEqual(swap);
  expect(meaning('swap c bag')).toEqual(swap);
  expect(meaning('draw 1')).toEqual({ kind: 'draw', take: '2222' });
  await translations.load('en');
});

it('finds a tile by its whole name, however the language writes it', async () => {
  expect(meaning('circle, blue, medium, on white 1,0')).toEqual({
    kind: 'lay',
    tiles: [['0210', 1, 0]],
  });
  await translations.load('pl');
  const swap = { kind: 'swap', give: '0210', take: 'bag' };
  expect(meaning('wymień koło, niebieskie, średnie, białe tło woreczek')).toEqual(swap);
  // Unicode doesn't treat the stroke of ł as an accent, but it's just as hard to type.
  expect(meaning('wymien kolo niebieskie biale woreczek')).toEqual(swap);
  await translations.load('en');
});

it('a name alone draws a tile when a draw is due', () => {
  expect(meaning('bag', drawing)).toEqual({ kind: 'draw', take: 'bag' });
  expect(meaning('2', drawing)).toEqual({ kind: 'draw', take: '2221' });
});

it.each(['', 'circle 1,0', 'a', 'swap a', 'swap z bag', '2222 1,0', 'a 1,0 b', 'hello'])(
  '"%s" is not understood',
  (text) => {
    expect(meaning(text)).toBeNull();
  },
);
