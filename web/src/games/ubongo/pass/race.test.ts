import { expect, test } from 'vitest';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import type { UbongoAction, UbongoView } from '../../../lib/wire';
import { turnOrder, Race, rankRuns } from './race.svelte';

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
  const told: [number | null, UbongoAction][] = [];
  const view = { round: 1, playing: [0, 1], solutions: [], gave_up: [], outcome: null };
  const connection = {
    table: 'abc',
    match: 'abc.1',
    view: view as unknown as UbongoView,
    act: (action: UbongoAction, seat: number | null) => {
      told.push([seat, action]);
      return Promise.resolve(1);
    },
  } as unknown as TableConnection;

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
