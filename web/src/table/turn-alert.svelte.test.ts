// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { TableConnection } from '../connection/table-connection.svelte';
import { settings } from '../lib/settings.svelte';
import { playSound } from '../lib/sounds';
import { alertOnTurn, isOurTurn } from './turn-alert.svelte';

vi.mock('../lib/sounds', () => ({ playSound: vi.fn() }));
vi.mock('../lib/tab-icon', () => ({ markTabIcon: () => () => {} }));
vi.mock('../lib/wake-lock', () => ({ keepScreenOn: () => () => {} }));
vi.mock('../lib/table-notifications', () => ({ dismissTableNotification: async () => {} }));

const table = (more: object = {}, info: object = {}): TableConnection =>
  ({
    info: { phase: 'playing', paused: null, ...info },
    awaited: [1],
    yours: [1],
    ...more,
  }) as unknown as TableConnection;

test('it is our turn if the match waits for one of our seats', () => {
  expect(isOurTurn(table())).toBe(true);
  expect(isOurTurn(table({ yours: [0, 1] }))).toBe(true);
  expect(isOurTurn(table({ yours: [0] }))).toBe(false);
  expect(isOurTurn(table({ awaited: [] }))).toBe(false);
});

test.each([{ info: null }, { phase: 'over' }, { phase: 'lobby' }, { paused: 5 }])(
  'it is nobody’s turn with %o',
  (info) => {
    expect(isOurTurn('info' in info ? table(info) : table({}, info))).toBe(false);
  },
);

class ChangingTable {
  info = $state.raw({ game: 'unikat', phase: 'playing', paused: null });
  awaited = $state.raw<number[]>([]);
  yours = [1];
}

test('a turn is announced once, whatever else changes meanwhile', () => {
  const changing = new ChangingTable();
  const stop = $effect.root(() => {
    alertOnTurn(changing as unknown as TableConnection);
  });
  flushSync();
  expect(playSound).not.toHaveBeenCalled();

  changing.awaited = [1];
  flushSync();
  changing.info = { ...changing.info };
  flushSync();
  settings.set('vibration', !settings.chosen.vibration);
  flushSync();
  expect(playSound).toHaveBeenCalledOnce();

  changing.awaited = [];
  flushSync();
  changing.awaited = [1];
  flushSync();
  expect(playSound).toHaveBeenCalledTimes(2);
  stop();
});
