// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { TableConnection } from '../connection/table-connection.svelte';
import { settings } from '../lib/settings.svelte';
import { playSound } from '../lib/sounds';
import { storage } from '../lib/storage';
import { showTableNotification } from '../lib/table-notifications';
import { alertOnTurn, isOurTurn } from './turn-alert.svelte';

vi.mock('../lib/sounds', () => ({ playSound: vi.fn() }));
vi.mock('../lib/tab-icon', () => ({ markTabIcon: () => () => {} }));
vi.mock('../lib/wake-lock', () => ({ keepScreenOn: () => () => {} }));
vi.mock('../lib/table-notifications', () => ({
  dismissTableNotification: async () => {},
  showTableNotification: vi.fn(),
}));

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

/** Count the alerts when a turn begins. */
function countAlerts(table: ChangingTable): { sounds: number; notifications: number } {
  vi.mocked(playSound).mockClear();
  vi.mocked(showTableNotification).mockClear();
  const stop = $effect.root(() => {
    alertOnTurn(table as unknown as TableConnection);
  });
  flushSync();
  table.awaited = [1];
  flushSync();
  stop();
  return {
    sounds: vi.mocked(playSound).mock.calls.length,
    notifications: vi.mocked(showTableNotification).mock.calls.length,
  };
}

test('a turn that had already begun when the page was opened is not announced', () => {
  const table = new ChangingTable();
  table.awaited = [1];
  expect(countAlerts(table)).toEqual({ sounds: 0, notifications: 0 });
});

test('nothing is announced in a game without turns', () => {
  const table = new ChangingTable();
  table.info = { ...table.info, game: 'ubongo' };
  expect(countAlerts(table)).toEqual({ sounds: 0, notifications: 0 });
});

test.each([
  { hidden: true, wanted: true, notifications: 1 },
  { hidden: false, wanted: true, notifications: 0 },
  { hidden: true, wanted: false, notifications: 0 },
])('a notification is shown only if wanted and the page is hidden: %o', (example) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(example.hidden);
  storage.set('notifications.wanted', example.wanted);
  expect(countAlerts(new ChangingTable())).toEqual({
    sounds: 1,
    notifications: example.notifications,
  });
  vi.restoreAllMocks();
});
