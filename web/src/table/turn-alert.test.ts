// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { TableConnection } from '../connection/table-connection.svelte';
import { isOurTurn } from './turn-alert.svelte';

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
  'nobody is called by %o',
  (info) => {
    expect(isOurTurn('info' in info ? table(info) : table({}, info))).toBe(false);
  },
);
