import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../../connection/api';
import type { DailyTurn, DailyUnikat, Placement, UnikatAction } from '../../../lib/wire';
import { DailyPuzzleMatch } from './daily-puzzle-match.svelte';

vi.mock('../../../connection/api', () => ({ call: vi.fn() }));

const DAILY = { day: '2026-11-17', grade: 'easy', view: { bag: 0 } } as unknown as DailyUnikat;
const lay = (...tiles: Placement[]): UnikatAction => ({ kind: 'lay', tiles });
const FIRST = lay(['0001', 1, 0]);
const SECOND = lay(['0002', 2, 0]);

/** The requests to the server, for the test to answer. */
let requests: { body: unknown; answer: (turn: DailyTurn) => void; fail: (error: Error) => void }[];
const turn = (bag: number, over = false) =>
  ({ view: { bag }, events: [{ kind: 'chain_laid' }], over }) as unknown as DailyTurn;

const onover = vi.fn();
const listener = vi.fn();
let match: DailyPuzzleMatch;

beforeEach(() => {
  requests = [];
  vi.mocked(call).mockImplementation(
    (_, __, body) =>
      new Promise((answer, fail) => requests.push({ body, answer: answer as never, fail })),
  );
  onover.mockClear();
  listener.mockClear();
  match = new DailyPuzzleMatch(DAILY, onover);
  match.listenToEvents(listener);
});

async function act(action: UnikatAction, answer: DailyTurn): Promise<void> {
  const done = match.act(action);
  requests.at(-1)!.answer(answer);
  await done;
}

test('each action is sent with all earlier ones', async () => {
  await act(FIRST, turn(1));
  await act(SECOND, turn(2));
  const about = { day: '2026-11-17', grade: 'easy' };
  expect(requests.map(({ body }) => body)).toEqual([
    { ...about, actions: [FIRST] },
    { ...about, actions: [FIRST, SECOND] },
  ]);
  expect([match.view, match.actionsSoFar]).toEqual([{ bag: 2 }, [FIRST, SECOND]]);
  expect(listener).toHaveBeenLastCalledWith([{ kind: 'chain_laid' }], { bag: 2 });
  expect(onover).not.toHaveBeenCalled();
});

test('the end of the turn is reported with all its chains', async () => {
  await act(FIRST, turn(1));
  await act({ kind: 'pass' }, turn(2, true));
  expect(onover).toHaveBeenCalledExactlyOnceWith(turn(2, true), [[['0001', 1, 0]]]);
});

test('a refused action leaves everything as it was', async () => {
  const done = match.act(FIRST);
  requests[0]!.fail(new Error('offline'));
  await expect(done).rejects.toThrow('offline');
  expect([match.view, match.actionsSoFar]).toEqual([{ bag: 0 }, []]);
});

test('an answer that arrives after starting over is ignored', async () => {
  await act(FIRST, turn(1));
  listener.mockClear();
  const late = match.act(SECOND);
  match.restart();
  requests[1]!.answer(turn(2));
  await late;
  expect([match.view, match.actionsSoFar, match.attempts]).toEqual([{ bag: 0 }, [], 2]);
  expect(listener).not.toHaveBeenCalled();
});

test('a turn that ends counts even after starting over', async () => {
  const late = match.act(FIRST);
  match.restart();
  requests[0]!.answer(turn(1, true));
  await late;
  expect(onover).toHaveBeenCalledExactlyOnceWith(turn(1, true), [[['0001', 1, 0]]]);
});

test('a saved turn is restored', async () => {
  await match.restore([]);
  expect(requests).toEqual([]);
  const restored = match.restore([FIRST]);
  requests[0]!.answer(turn(1));
  await restored;
  expect([match.view, match.actionsSoFar]).toEqual([{ bag: 1 }, [FIRST]]);
});
