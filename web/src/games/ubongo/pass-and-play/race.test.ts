// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import type { UbongoAction, UbongoView } from '../../../lib/wire';
import { COUNTDOWN_MS, turnOrder, Race, rankResults, saveSecondsPerTurn } from './race.svelte';

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
  const sent: [number | undefined, UbongoAction][] = [];
  const connection = connect(view(), (action, seat) => {
    sent.push([seat, action as UbongoAction]);
    return Promise.resolve(1);
  });

  const race = new Race(connection);
  race.startTurn(race.nextSeat!);
  race.finishTurn(null);
  race.startTurn(race.nextSeat!);
  race.finishTurn({ 7: [[0, 0]], 9: [[1, 0]] });
  expect(race.nextSeat).toBeNull();
  await race.sendResults();

  expect(sent).toEqual([
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
  const seen = view({
    began: 500,
    gave_up: [1],
    solutions: [{ seat: 0, time: 700, arrived: 800 }],
  });
  const shown = race.withRaceResults(seen);
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
  const seen = view({ began: 500, solutions: [{ seat: 1, time: 700, arrived: 800 }] });
  expect(race.withRaceResults(seen).solutions).toEqual([
    { seat: 1, time: 5500, arrived: 5500 },
    { seat: 0, time: 9500, arrived: 9500 },
  ]);
});

/** Play a race of two in which only the second solves the card. */
function playRace(connection: TableConnection): Race {
  const race = new Race(connection);
  race.startTurn(0);
  race.finishTurn(null);
  race.startTurn(1);
  race.finishTurn({ 7: [[0, 0]] });
  return race;
}

test('results that the table already has are not sent again', async () => {
  const act = vi.fn(() => Promise.resolve(1));
  const seen = view({ solutions: [{ seat: 1, time: 700, arrived: 800 }] });
  await playRace(connect(seen, act)).sendResults();
  expect(act).toHaveBeenCalledExactlyOnceWith({ kind: 'give_up' }, 0);
  act.mockClear();
  // Also after a reload.
  await new Race(connect(view({ gave_up: [0] }), act)).sendResults();
  expect(act).toHaveBeenCalledExactlyOnceWith({ kind: 'place', piece: 7, cells: [[0, 0]] }, 1);
});

test.each([{ round: 2 }, { outcome: { winners: [1] } }])(
  'no results are sent once the table has moved on to %o',
  async (more) => {
    const connection = connect(view());
    const act = vi.fn(() => {
      Object.assign(connection, { view: view(more as unknown as Partial<UbongoView>) });
      return Promise.resolve(1);
    });
    connection.act = act;
    await playRace(connection).sendResults();
    expect(act).toHaveBeenCalledOnce();
  },
);

test('results are sent only once at a time, and again after a failure', async () => {
  const act = vi.fn(() => Promise.reject(new Error('unavailable')));
  const race = playRace(connect(view(), act));
  const sent = race.sendResults();
  await race.sendResults();
  await expect(sent).rejects.toThrow('unavailable');
  expect(act).toHaveBeenCalledOnce();
  await expect(race.sendResults()).rejects.toThrow('unavailable');
  expect(act).toHaveBeenCalledTimes(2);
});

test('restarting a round lets everyone try again', () => {
  const race = new Race(connect(view()));
  race.startTurn(0);
  race.finishTurn(null);
  race.startTurn(1);
  race.restartRound();
  expect([race.results, race.currentTurn, race.nextSeat]).toEqual([[], null, 0]);
});

test('results do not carry over to the next round or another match', () => {
  const connection = connect(view());
  const race = playRace(connection);
  race.startTurn(0);
  Object.assign(connection, { view: view({ round: 2 }) });
  expect([race.results, race.currentTurn, race.nextSeat]).toEqual([[], null, 1]);
  Object.assign(connection, { view: view(), match: 'abc.2' });
  expect([race.results, race.currentTurn, race.nextSeat]).toEqual([[], null, 0]);
});

test('each table has its own time limit, or none', () => {
  saveSecondsPerTurn('abc', 90);
  const race = new Race(connect(view()));
  race.startTurn(0);
  expect(race.turnEndsAt).toBe(Date.now() + COUNTDOWN_MS + 90_000);
  saveSecondsPerTurn('abc', null);
  expect(new Race(connect(view())).turnEndsAt).toBeNull();
});
