// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../../../lib/i18n.svelte';
import { markTile, splitAtTiles } from '../tile-sentence';
import { describeAction, describeActionInSentence } from './describe-action';

beforeAll(() => translations.load('en'));

test('swapped tiles are shown as pictures', () => {
  const swap = { kind: 'swap', give: '0000', take: '1111' } as const;
  expect(splitAtTiles(describeAction(swap, markTile))).toEqual([
    'Swap ',
    '0000',
    ' for ',
    '1111',
    '',
  ]);
  expect(splitAtTiles(describeAction({ kind: 'draw', take: 'bag' }, markTile))).toHaveLength(1);
});

test.each([
  ['en', 'pass'],
  ['fr', 'passer'],
  ['uk', 'пасувати'],
])('within a sentence, an action in %s has no capital letter', async (language, pass) => {
  await translations.load(language);
  expect(describeActionInSentence({ kind: 'pass' }, markTile)).toBe(pass);
  await translations.load('en');
});
