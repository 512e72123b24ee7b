// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serverClock } from '../connection/server-clock';
import { settings } from '../lib/settings.svelte';
import { toasts } from '../lib/toasts.svelte';
import { loadRecord } from '../record/stored-record';
import { ChosenDailyPuzzle } from './chosen-daily-puzzle.svelte';
import type { DailyAnswer } from './results';

const DAY = '2026-11-17';

function answer(name: string | null, place: number | null = 1): DailyAnswer {
  const mine = { place, name: name ?? '', ms: 20_000, yours: true };
  return { day: DAY, started: 1, results: name === null ? [] : [mine], ranked: 1 };
}

/** The requests, and the server's answer to all of them; null: it refuses. */
const requests: { path: string; body: unknown }[] = [];
let answers: DailyAnswer | null;

beforeEach(() => {
  localStorage.clear();
  settings.set('name', '');
  requests.length = 0;
  answers = answer(null);
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    requests.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null });
    const refusal = { error: { reason: 'bad_name' } };
    return Promise.resolve(
      new Response(JSON.stringify(answers ?? refusal), { status: answers ? 200 : 400 }),
    );
  });
});

afterEach(() => vi.unstubAllGlobals());

const namesSent = () =>
  requests.filter(({ path }) => path.endsWith('/name')).map(({ body }) => body);

const solve = async (solved: DailyAnswer) => {
  const puzzle = new ChosenDailyPuzzle('ubongo', 'side', 3);
  await vi.waitUntil(() => !puzzle.busy, { timeout: 60_000 });
  await puzzle.showResultAndPutOnBoard(solved);
  return puzzle;
};

test('only a result with a place is recorded', async () => {
  await solve(answer('', null));
  expect(loadRecord().dailies).toEqual([]);
  await solve({ ...answer('', 2), ranked: 7 });
  const place = { game: 'ubongo', day: DAY, kind: '3', place: 2, ranked: 7 };
  expect(loadRecord().dailies).toEqual([place]);
});

test('a result is put on the leaderboard only on request, even if the name is known', async () => {
  settings.set('name', 'Ola');
  const puzzle = await solve(answer(''));
  expect(namesSent()).toEqual([]);
  answers = answer('Ola');
  await puzzle.putNameOnBoard('Ola');
  expect(namesSent()).toEqual([{ day: DAY, side: 3, name: 'Ola' }]);
});

test('a name given for one leaderboard is used for the next', async () => {
  answers = answer('Ola');
  await (await solve(answer(''))).putNameOnBoard('Ola');
  expect(settings.chosen.name).toBe('Ola');
  requests.length = 0;
  await solve(answer(''));
  expect(namesSent()).toEqual([{ day: DAY, side: 3, name: 'Ola' }]);
  requests.length = 0;
  await solve(answer('', null));
  expect(namesSent(), 'a result without a place is on no leaderboard').toEqual([]);
});

test('a refused name is forgotten', async () => {
  const puzzle = await solve(answer(''));
  answers = null;
  await puzzle.putNameOnBoard('Ola');
  expect(settings.chosen.name).toBe('');
  await puzzle.showResultAndPutOnBoard(answer(''));
  expect(namesSent()).toHaveLength(1);
});

test('a day counts as solved once there is a result', async () => {
  const puzzle = new ChosenDailyPuzzle('ubongo', 'side', 3);
  puzzle.showAndRecordAnswer(answer(null));
  expect(puzzle.solved.has(DAY)).toBe(false);
  puzzle.showAndRecordAnswer(answer(''));
  expect(puzzle.solved.has(DAY)).toBe(true);
});

/** Let the test answer requests, in any order. */
function answerByHand(): { path: string; answer: (content: object, status?: number) => void }[] {
  const requests: ReturnType<typeof answerByHand> = [];
  vi.stubGlobal(
    'fetch',
    (address: string) =>
      new Promise<Response>((resolve) => {
        const path = address.replace(/^.*\/daily\//, '');
        const respond = (content: object, status = 200) =>
          resolve(new Response(JSON.stringify(content), { status }));
        requests.push({ path, answer: respond });
      }),
  );
  return requests;
}
const openPuzzle = () => new ChosenDailyPuzzle<DailyAnswer, number>('ubongo', 'side', 3);
/** Wait for everything that follows from an answer. */
const settle = () => new Promise((done) => setTimeout(done));

test('a late answer about another puzzle is ignored', async () => {
  const requests = answerByHand();
  const puzzle = openPuzzle();
  puzzle.chooseKind(4);
  const [late, current] = requests;
  late!.answer({ ...answer('', 2), ranked: 7 });
  await settle();
  expect([puzzle.answer, puzzle.busy]).toEqual([null, true]);
  expect(loadRecord().dailies).toEqual([]);
  current!.answer(answer(null));
  await settle();
  expect([puzzle.answer, puzzle.busy]).toEqual([answer(null), false]);
});

test('a late refusal about another puzzle is ignored', async () => {
  const shown = toasts.shown;
  const requests = answerByHand();
  const puzzle = openPuzzle();
  puzzle.chooseDay('2026-11-16');
  const [late, current] = requests;
  current!.answer(answer(null));
  await settle();
  late!.answer({ error: { reason: 'unavailable' } }, 503);
  await settle();
  expect(puzzle.answer).toEqual(answer(null));
  expect(toasts.shown).toBe(shown);
});

test('the chosen kind is remembered, but not the chosen day', async () => {
  const requests = answerByHand();
  const puzzle = openPuzzle();
  puzzle.chooseKind(5);
  puzzle.chooseDay('2026-11-16');
  puzzle.chooseDay(null);
  openPuzzle();
  expect(requests.map(({ path }) => path)).toEqual([
    'ubongo?side=3',
    'ubongo?side=5',
    'ubongo?side=5&day=2026-11-16',
    'ubongo?side=5',
    'ubongo?side=5',
  ]);
});

test('the old answer disappears while another day is loading', async () => {
  const requests = answerByHand();
  const puzzle = openPuzzle();
  requests[0]!.answer(answer(null));
  await settle();
  puzzle.chooseDay('2026-11-16');
  expect([puzzle.answer, puzzle.busy]).toEqual([null, true]);
});

test('starting a puzzle adjusts the server clock only the first time', async () => {
  const adjust = vi.spyOn(serverClock, 'adjust');
  const start = async (before: number | null) => {
    answers = { ...answer(null), started: before };
    const puzzle = openPuzzle();
    await settle();
    answers = { ...answer(null), started: 5000 };
    await puzzle.start();
  };
  await start(5000);
  expect(adjust).not.toHaveBeenCalled();
  await start(null);
  expect(adjust).toHaveBeenCalledExactlyOnceWith(5000);
  adjust.mockRestore();
});
