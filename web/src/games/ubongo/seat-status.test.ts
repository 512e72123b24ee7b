import { expect, test } from 'vitest';
import type { UbongoView } from '../../lib/wire';
import { isSolving, seatStatus, seatStatusAfterRound } from './seat-status';
import { seatsBestFirst } from './standings';

const view = (more: Partial<UbongoView> = {}) =>
  ({
    phase: 'solving',
    playing: [0, 1, 2],
    deals: { 0: {}, 1: {}, 2: {} },
    settled: [1],
    solutions: [{ seat: 1 }, { seat: 0 }],
    gave_up: [],
    outcome: null,
    ...more,
  }) as unknown as UbongoView;

test('a seat that has neither solved nor given up is solving', () => {
  const kinds = [0, 1, 2].map((seat) => seatStatus(view(), seat).kind);
  expect(kinds).toEqual(['solved', 'ranked', 'solving']);
});

test('once the round is over, nobody is shown as solving', () => {
  const kinds = [0, 1, 2].map((seat) => seatStatusAfterRound(view(), seat).kind);
  expect(kinds).toEqual(['solved', 'ranked', 'unsolved']);
  expect(seatStatusAfterRound(view({ phase: 'ready' }), 2).kind).toBe('unsolved');
});

test('seats that gave up or have no card are not solving', () => {
  const racing = view({ gave_up: [2], playing: [0, 1, 2, 3] });
  expect([2, 3].map((seat) => seatStatus(racing, seat).kind)).toEqual(['gaveUp', 'out']);
  expect([2, 3].map((seat) => isSolving(racing, seat))).toEqual([false, false]);
});

test('between rounds, players who are not ready are waiting', () => {
  const between = { phase: 'ready', ready: [1], playing: [0, 1] } as const;
  const kinds = (more: object) => [0, 1, 2].map((seat) => seatStatus(view(more), seat).kind);
  expect(kinds(between)).toEqual(['waiting', 'ready', 'out']);
  expect(kinds({ ...between, ready: [], phase: 'countdown' })).toEqual(['ready', 'ready', 'out']);
});

test('at the end, the winner of a deciding round comes first', () => {
  const end = view({
    phase: 'over',
    players: 3,
    points: [20, 31, 31],
    outcome: { winners: [2], points: [20, 31, 31] },
  });
  expect([0, 1, 2].map((seat) => seatStatus(end, seat).kind)).toEqual(['over', 'over', 'winner']);
  expect(seatsBestFirst(end)).toEqual([2, 1, 0]);
});
