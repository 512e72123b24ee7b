import { expect, test } from 'vitest';
import { t } from '../lib/i18n.svelte';
import type { GameName, MyTable } from '../lib/wire';
import { describeMyStatus, waitsForUs } from './table-status';

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
