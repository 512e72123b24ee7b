import { expect, test } from 'vitest';
import type { UbongoView } from '../../lib/wire';
import { seatStatus, seatStatusAfterRound } from './seat-status';

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
