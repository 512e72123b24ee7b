// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { t, translations } from '../lib/i18n.svelte';
import type { GameName, MyTable, TableInfo } from '../lib/wire';
import { describeMyStatus, describeStatus, sortByUrgency, waitsForUs } from './table-status';

beforeAll(() => translations.load('en'));

const mine = (game: GameName, awaited: number[]): MyTable =>
  ({
    table: { game, phase: 'playing', paused: null, chairs: [{ name: 'Ola' }, { name: 'Max' }] },
    yours: [0],
    awaited,
  }) as unknown as MyTable;

test('a game with turns says whose turn it is', () => {
  expect(describeMyStatus(mine('unikat', [0]))).toBe(t('page.tables.yours'));
  expect(describeMyStatus(mine('unikat', [1]))).toBe(t('page.tables.waits', { name: 'Max' }));
});

test('in a race it is never anybody’s turn, but the table may wait for us', () => {
  for (const awaited of [[0], [1], [0, 1]])
    expect(describeMyStatus(mine('ubongo', awaited))).toBe(t('page.tables.playing'));
  expect(waitsForUs(mine('ubongo', [0]))).toBe(true);
});

test('a paused table is not waiting for us', () => {
  const { table, ...rest } = mine('unikat', [0]);
  const paused = { ...rest, table: { ...table, paused: 5 } } as MyTable;
  expect(waitsForUs(paused)).toBe(false);
  expect(describeMyStatus(paused)).toBe(t('page.tables.paused'));
});

test('tables are sorted: waiting for us, playing, lobby, over', () => {
  const phases = ['over', 'lobby', 'playing'] as const;
  const others = phases.map((phase) => {
    const { table, ...rest } = mine('unikat', [1]);
    return { ...rest, table: { ...table, phase } } as MyTable;
  });
  const ours = mine('ubongo', [0]);
  const sorted = sortByUrgency([...others, ours]);
  expect(sorted).toEqual([ours, others[2], others[1], others[0]]);
});

test('the status of a lobby gives the number of free seats', () => {
  const lobby = (...kinds: string[]) =>
    ({ phase: 'lobby', chairs: kinds.map((kind) => ({ kind })) }) as unknown as TableInfo;
  expect(describeStatus(lobby('person', 'free', 'free'))).toBe(t('page.tables.free', { n: 2 }));
  expect(describeStatus(lobby('person', 'bot'))).toBe(t('page.tables.full'));
});

test('nobody is named while a match waits for several seats', () => {
  expect(describeMyStatus(mine('unikat', [1, 2]))).toBe(t('page.tables.playing'));
});
