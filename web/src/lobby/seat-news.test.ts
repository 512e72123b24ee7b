// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import type { ChairInfo, TableInfo } from '../lib/wire';
import { describeSeatNews } from './seat-news';

const table = (names: string, yours: number[] = [], more: Partial<TableInfo> = {}) => ({
  info: {
    phase: 'lobby',
    match: 1,
    chairs: names.split(' ').map(
      (name) =>
        ({
          name: name === '-' || name === 'bot' ? '' : name,
          kind: name === '-' ? 'free' : name === 'bot' ? 'bot' : 'person',
        }) as ChairInfo,
    ),
    ...more,
  } as TableInfo,
  yours,
});

beforeAll(() => translations.load('en'));

test('others who sit down or leave are named', () => {
  expect(describeSeatNews(table('Ola - Jan', [0]), table('Ola Eva -', [0]))).toEqual([
    'Eva sat down.',
    'Jan left.',
  ]);
  expect(describeSeatNews(table('Ola Jan', [0]), table('Ola bot', [0]))).toEqual(['Jan left.']);
});

test('our own moves, new names, bots and new chairs are not news', () => {
  expect(describeSeatNews(table('Ola -', [0]), table('- Ola', [1]))).toEqual([]);
  expect(describeSeatNews(table('Ola Jan', [0]), table('Ola Johann', [0]))).toEqual([]);
  expect(describeSeatNews(table('Ola -', [0]), table('Ola bot -', [0]))).toEqual([]);
});

test('changes during a match or between two matches are not news', () => {
  const playing = { phase: 'playing' } as const;
  expect(describeSeatNews(table('Ola Jan', [], playing), table('Ola -', [], playing))).toEqual([]);
  expect(describeSeatNews(table('- Jan'), table('Jan', [], playing))).toEqual([]);
  expect(describeSeatNews(table('Ola Jan'), table('Ola -', [], { match: 2 }))).toEqual([]);
});
