// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../lib/settings.svelte';
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
  await puzzle.finish(solved);
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
  await puzzle.finish(answer(''));
  expect(namesSent()).toHaveLength(1);
});

test('a day counts as solved once there is a result', async () => {
  const puzzle = new ChosenDailyPuzzle('ubongo', 'side', 3);
  puzzle.showAndRecordAnswer(answer(null));
  expect(puzzle.solved.has(DAY)).toBe(false);
  puzzle.showAndRecordAnswer(answer(''));
  expect(puzzle.solved.has(DAY)).toBe(true);
});
