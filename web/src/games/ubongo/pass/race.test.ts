// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import type { UbongoAction, UbongoView } from '../../../lib/wire';
import { COUNTDOWN_MS, turnOrder, Race, rankRuns } from './race.svelte';

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

test('the quickest comes first, and who has not solved it last', () => {
  const runs = [
    { seat: 0, ms: null, placed: {} },
    { seat: 1, ms: 41_000, placed: {} },
    { seat: 2, ms: 30_500, placed: {} },
  ];
  expect(rankRuns(runs).map(({ seat }) => seat)).toEqual([2, 1, 0]);
});

test('another player begins each round', () => {
  expect(turnOrder([0, 1, 2], 1)).toEqual([0, 1, 2]);
  expect(turnOrder([0, 1, 2], 2)).toEqual([1, 2, 0]);
  expect(turnOrder([0, 1, 2], 4)).toEqual([0, 1, 2]);
});

test('a race ends with solutions and defeats told in the order of their times', async () => {
  const told: [number | undefined, UbongoAction][] = [];
  const connection = connect(view(), (action, seat) => {
    told.push([seat, action as UbongoAction]);
    return Promise.resolve(1);
  });

  const race = new Race(connection);
  race.start(race.next!);
  race.finish(null);
  race.start(race.next!);
  race.finish({ 7: [[0, 0]], 9: [[1, 0]] });
  expect(race.next).toBeNull();
  await race.send();

  expect(told).toEqual([
    [1, { kind: 'place', piece: 7, cells: [[0, 0]] }],
    [1, { kind: 'place', piece: 9, cells: [[1, 0]] }],
    [0, { kind: 'give_up' }],
  ]);
});

test('the time begins after three, two, one', () => {
  const race = new Race(connect(view()));
  race.start(0);
  expect(race.running!.began).toBe(Date.now() + COUNTDOWN_MS);
  expect(race.until).toBe(Date.now() + COUNTDOWN_MS + 60_000);
  vi.advanceTimersByTime(COUNTDOWN_MS + 20_500);
  race.finish({ 7: [[0, 0]] });
  expect(race.runs).toEqual([{ seat: 0, ms: 20_500, placed: { 7: [[0, 0]] } }]);
});

test('a reload keeps the pieces, and those of one player are not those of the next', () => {
  const before = new Race(connect(view()));
  before.start(0);
  before.keepPlaced({ 7: [[0, 0]] });
  const race = new Race(connect(view()));
  expect(race.running).toMatchObject({ seat: 0, placed: { 7: [[0, 0]] } });
  race.finish(null);
  race.start(1);
  expect(race.running).toMatchObject({ seat: 1, placed: {} });
});

test('results have the times that were taken here, and no credit for the line', () => {
  const race = new Race(connect(view()));
  race.start(0);
  vi.advanceTimersByTime(COUNTDOWN_MS + 9000);
  race.finish({ 7: [[0, 0]] });
  race.start(1);
  race.finish(null);
  const told = view({
    began: 500,
    gave_up: [1],
    solutions: [{ seat: 0, time: 700, arrived: 800 }],
  });
  const shown = race.withOwnResults(told);
  expect(shown.solutions).toEqual([{ seat: 0, time: 9500, arrived: 9500 }]);
  // The other one has run out of time, which isn't giving up.
  expect(shown.gave_up).toEqual([]);
});
