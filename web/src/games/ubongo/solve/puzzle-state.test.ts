import { expect, test, vi } from 'vitest';
import type { Deal, Shape } from '../../../lib/wire';
import type { Placed } from '../placement';
import { LocalPuzzle, RemotePuzzle } from './puzzle-state.svelte';

const DEAL = { card: 1, side: 3 } as Deal;
const HERE: Shape = [
  [0, 0],
  [1, 0],
];
const THERE: Shape = [
  [0, 1],
  [1, 1],
];

/** A table whose answers the test controls. */
function makeTable() {
  const answers: { resolve: (done?: unknown) => void; reject: (error: Error) => void }[] = [];
  const ask = () => new Promise<unknown>((resolve, reject) => answers.push({ resolve, reject }));
  const onRefused = vi.fn();
  const table = {
    deal: DEAL,
    placed: {} as Placed,
    active: true,
    place: vi.fn(ask),
    lift: vi.fn(ask),
    onRefused,
  };
  const puzzle = new RemotePuzzle(table);
  /** Show the server's next view. */
  const show = (placed: Placed) => {
    table.placed = placed;
    puzzle.dropConfirmedSteps();
  };
  return { answers, onRefused, puzzle, show, table };
}

test('in practice a step counts at once, and is reported', () => {
  const onChange = vi.fn();
  const puzzle = new LocalPuzzle(DEAL, onChange);
  puzzle.recordPlacement(1, HERE);
  puzzle.recordPlacement(2, THERE);
  puzzle.lift(1);
  expect(puzzle.placed).toEqual({ 2: THERE });
  expect(onChange).toHaveBeenCalledTimes(3);
});

test('a step is sent, and shown before the server confirms it', () => {
  const { puzzle, table } = makeTable();
  puzzle.recordPlacement(1, HERE);
  expect(table.place).toHaveBeenCalledExactlyOnceWith(1, HERE);
  expect(puzzle.placed).toEqual({ 1: HERE });
  puzzle.lift(1);
  expect(table.lift).toHaveBeenCalledExactlyOnceWith(1);
  expect(puzzle.placed).toEqual({});
});

test('once a view shows a step, only the view counts', () => {
  const { puzzle, show } = makeTable();
  puzzle.recordPlacement(1, HERE);
  show({ 1: HERE });
  show({});
  expect(puzzle.placed).toEqual({});
  show({ 1: HERE });
  puzzle.lift(1);
  show({});
  show({ 1: HERE });
  expect(puzzle.placed).toEqual({ 1: HERE });
});

test('a view from before a step does not undo it', () => {
  const { puzzle, show } = makeTable();
  puzzle.recordPlacement(1, HERE);
  show({ 2: THERE });
  expect(puzzle.placed).toEqual({ 1: HERE, 2: THERE });
  puzzle.recordPlacement(1, THERE);
  show({ 1: HERE });
  expect(puzzle.placed).toEqual({ 1: THERE });
});

test('a refused step is undone and reported', async () => {
  const { answers, onRefused, puzzle, table } = makeTable();
  puzzle.recordPlacement(1, HERE);
  const refused = new Error('occupied');
  answers[0]!.reject(refused);
  await Promise.allSettled(table.place.mock.results.map(({ value }) => value));
  expect(onRefused).toHaveBeenCalledExactlyOnceWith(refused);
  expect(puzzle.placed).toEqual({});
});

test('refusing a step keeps a later one with the same piece', async () => {
  const { answers, onRefused, puzzle, table } = makeTable();
  puzzle.recordPlacement(1, HERE);
  puzzle.recordPlacement(1, THERE);
  answers[0]!.reject(new Error('occupied'));
  await Promise.allSettled(table.place.mock.results.slice(0, 1).map(({ value }) => value));
  expect(onRefused).toHaveBeenCalledOnce();
  expect(puzzle.placed).toEqual({ 1: THERE });
});
