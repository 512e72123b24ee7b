// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../../connection/api';
import { t, translations } from '../../../lib/i18n.svelte';
import type { Advice, CoachedTurn } from '../../../lib/wire';
import type { Moment } from '../../../replay/timeline';
import { UnikatCoach } from './unikat-coach.svelte';

vi.mock('../../../connection/api', () => ({ call: vi.fn() }));

const pass = { kind: 'pass' } as const;
const turn = (seq: number, seat: number, lost: number): CoachedTurn => ({
  seq,
  round: 1,
  seat,
  laid: [],
  best: [],
  exact: true,
  swing: 0,
  others: [],
  decisions: [
    {
      seq: seq + 1,
      done: { action: pass, value: 0.5 },
      better: { action: pass, value: 0.5 + lost },
    },
  ],
  lost,
  corners: [],
});
const ADVICE: Advice = { turns: [turn(3, 0, 0.1), turn(8, 0, 0.3), turn(12, 1, 0)], misses: [8] };
const at = (seq: number) => ({ seq, round: 1 }) as Moment;

let answer: (advice: Advice) => void;
let fail: (error: Error) => void;
let coach: UnikatCoach;

beforeAll(() => translations.load('en'));
beforeEach(() => {
  vi.mocked(call).mockImplementation(
    () => new Promise((resolve, reject) => ([answer, fail] = [resolve as never, reject])),
  );
  coach = new UnikatCoach('/tables/abc/matches/1');
});

test('the biggest miss is found, and shown as the coach would have played it', async () => {
  const found = coach.findBiggestMiss(0);
  expect(coach.commentAt(at(1))).toBe(t('page.coach.loading'));
  answer(ADVICE);
  expect(await found).toBe(8);
  expect(coach.view).toBe('better');
  expect(coach.seqToShowAt(at(8))).toBe(8);
  expect(coach.commentAt(at(8))).toBe(t('page.coach.decided.better', { action: 'pass' }));
  coach.showAsPlayed();
  expect([coach.seqToShowAt(at(8)), coach.commentAt(at(8))]).toEqual([8, null]);
});

test('a seat without misses gets a comment that says so', async () => {
  const found = coach.findBiggestMiss(1);
  answer(ADVICE);
  expect(await found).toBeNull();
  expect(coach.commentAt(at(12))).toBe(t('page.coach.decided.none'));
});

test('moving on during the search cancels it', async () => {
  const found = coach.findBiggestMiss(0);
  coach.showAsPlayed();
  answer(ADVICE);
  expect(await found).toBeNull();
  expect(coach.view).toBe('laid');
  expect(coach.turnAt(at(9))?.seq).toBe(8);
});

test('a failed request ends the search', async () => {
  const found = coach.findBiggestMiss(0);
  fail(new Error('offline'));
  await expect(found).rejects.toThrow('offline');
  expect(coach.commentAt(at(1))).toBeNull();
});
