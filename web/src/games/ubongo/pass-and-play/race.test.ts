// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import type { UbongoAction, UbongoView } from '../../../lib/wire';
import { COUNTDOWN_MS, turnOrder, Race, rankResults } from './race.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const view = (more: Partial<UbongoView> = {}) =>
  ({
    round: 1,
    playing: [0, 1],
    solutions: [],
    gave_up: [],
    outcome: null,
    ...more,
  }) as unknown as UbongoView;

const connect = (shown: UbongoView, act: TableConnection['act'] = () => Promise.resolve(1)) =>
  ({ table: 'abc', match: 'abc.1', view: shown, act }) as unknown as TableConnection;

test('the fastest comes first, and unsolved results come last', () => {
  const runs = [
    { seat: 0, ms: null, placed: {} },
    { seat: 1, ms: 41_000, placed: {} },
    { seat: 2, ms: 30_500, placed: {} },
  ];
  expect(rankResults(runs).map(({ seat }) => seat)).toEqual([2, 1, 0]);
});

test('a different player begins each round', () => {
  expect(turnOrder([0, 1, 2], 1)).toEqual([0, 1, 2]);
  expect(turnOrder([0, 1, 2], 2)).toEqual([1, 2, 0]);
  expect(turnOrder([0, 1, 2], 4)).toEqual([0, 1, 2]);
});

test('results are sent in the order of their times', async () => {
  const told: [number | undefined, UbongoAction][] = [];
  const connection = connect(view(), (action, seat) => {
    told.push([seat, action as UbongoAction]);
    return Promise.resolve(1);
  });

  const race = new Race(connection);
  race.startTurn(race.nextSeat!);
  race.finishTurn(null);
  race.startTurn(race.nextSeat!);
  race.finishTurn({ 7: [[0, 0]], 9: [[1, 0]] });
  expect(race.nextSeat).toBeNull();
  await race.sendResults();

  expect(told).toEqual([
    [1, { kind: 'place', piece: 7, cells: [[0, 0]] }],
    [1, { kind: 'place', piece: 9, cells: [[1, 0]] }],
    [0, { kind: 'give_up' }],
  ]);
});

test('the time begins after the countdown', () => {
  const race = new Race(connect(view()));
  race.startTurn(0);
  expect(race.currentTurn!.began).toBe(Date.now() + COUNTDOWN_MS);
  expect(race.turnEndsAt).toBe(Date.now() + COUNTDOWN_MS + 60_000);
  vi.advanceTimersByTime(COUNTDOWN_MS + 20_500);
  race.finishTurn({ 7: [[0, 0]] });
  expect(race.results).toEqual([{ seat: 0, ms: 20_500, placed: { 7: [[0, 0]] } }]);
});

test('a reload keeps the pieces, and the next player starts without any', () => {
  const before = new Race(connect(view()));
  before.startTurn(0);
  before.savePlaced({ 7: [[0, 0]] });
  const race = new Race(connect(view()));
  expect(race.currentTurn).toMatchObject({ seat: 0, placed: { 7: [[0, 0]] } });
  race.finishTurn(null);
  race.startTurn(1);
  expect(race.currentTurn).toMatchObject({ seat: 1, placed: {} });
});

test('results have the times measured here, without delay credit', () => {
  const race = new Race(connect(view()));
  race.startTurn(0);
  vi.advanceTimersByTime(COUNTDOWN_MS + 9000);
  race.finishTurn({ 7: [[0, 0]] });
  race.startTurn(1);
  race.finishTurn(null);
  const told = view({
    began: 500,
    gave_up: [1],
    solutions: [{ seat: 0, time: 700, arrived: 800 }],
  });
  const shown = race.withRaceResults(told);
  expect(shown.solutions).toEqual([{ seat: 0, time: 9500, arrived: 9500 }]);
  // The other player ran out of time, which isn't giving up.
  expect(shown.gave_up).toEqual([]);
});

test('while results are being sent, all of them are already shown', () => {
  const race = new Race(connect(view()));
  race.startTurn(0);
  vi.advanceTimersByTime(COUNTDOWN_MS + 9000);
  race.finishTurn({ 7: [[0, 0]] });
  race.startTurn(1);
  vi.advanceTimersByTime(COUNTDOWN_MS + 5000);
  race.finishTurn({ 7: [[0, 0]] });
  const told = view({ began: 500, solutions: [{ seat: 1, time: 700, arrived: 800 }] });
  expect(race.withRaceResults(told).solutions).toEqual([
    { seat: 1, time: 5500, arrived: 5500 },
    { seat: 0, time: 9500, arrived: 9500 },
  ]);
});
