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

/** What the server was asked, and what it answers to everything; null: it refuses. */
const asked: { path: string; body: unknown }[] = [];
let answers: DailyAnswer | null;

beforeEach(() => {
  localStorage.clear();
  settings.set('name', '');
  asked.length = 0;
  answers = answer(null);
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    asked.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null });
    const refusal = { error: { reason: 'bad_name' } };
    return Promise.resolve(
      new Response(JSON.stringify(answers ?? refusal), { status: answers ? 200 : 400 }),
    );
  });
});

afterEach(() => vi.unstubAllGlobals());

const namesGiven = () => asked.filter(({ path }) => path.endsWith('/name')).map(({ body }) => body);

const solve = async (solved: DailyAnswer) => {
  const puzzle = new ChosenDailyPuzzle('ubongo', 'side', 3);
  await vi.waitUntil(() => !puzzle.busy, { timeout: 60_000 });
  await puzzle.finish(solved);
  return puzzle;
};

test('a place is part of the record, and too fast a result has none', async () => {
  await solve(answer('', null));
  expect(loadRecord().dailies).toEqual([]);
  await solve({ ...answer('', 2), ranked: 7 });
  const place = { game: 'ubongo', day: DAY, kind: '3', place: 2, ranked: 7 };
  expect(loadRecord().dailies).toEqual([place]);
});

test('nobody is on a leaderboard without having asked for it, not even with a name', async () => {
  settings.set('name', 'Ola');
  const puzzle = await solve(answer(''));
  expect(namesGiven()).toEqual([]);
  answers = answer('Ola');
  await puzzle.putNameOnBoard('Ola');
  expect(namesGiven()).toEqual([{ day: DAY, side: 3, name: 'Ola' }]);
});

test('who was on a leaderboard before needn’t give their name again', async () => {
  answers = answer('Ola');
  await (await solve(answer(''))).putNameOnBoard('Ola');
  expect(settings.chosen.name).toBe('Ola');
  asked.length = 0;
  await solve(answer(''));
  expect(namesGiven()).toEqual([{ day: DAY, side: 3, name: 'Ola' }]);
  asked.length = 0;
  await solve(answer('', null));
  expect(namesGiven(), 'a result without a place is on no leaderboard').toEqual([]);
});

test('a name that was refused is forgotten', async () => {
  const puzzle = await solve(answer(''));
  answers = null;
  await puzzle.putNameOnBoard('Ola');
  expect(settings.chosen.name).toBe('');
  await puzzle.finish(answer(''));
  expect(namesGiven()).toHaveLength(1);
});

test('a day counts as solved once there is a result', async () => {
  const puzzle = new ChosenDailyPuzzle('ubongo', 'side', 3);
  puzzle.showAndRecordAnswer(answer(null));
  expect(puzzle.solved.has(DAY)).toBe(false);
  puzzle.showAndRecordAnswer(answer(''));
  expect(puzzle.solved.has(DAY)).toBe(true);
});
