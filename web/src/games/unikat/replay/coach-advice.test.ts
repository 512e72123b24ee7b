// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Advice, CoachedTurn, Decision, Placement } from '../../../lib/wire';
import {
  seqBefore,
  biggestMisses,
  worstDecisionChances,
  isTileCountRelevant,
  biggestMissesOf,
  defaultView,
  turnAt,
  coachViewsFor,
  worstDecision,
} from './coach-advice';

const turn = (seq: number, more: Partial<CoachedTurn> = {}): CoachedTurn => ({
  seq,
  round: 1,
  seat: 0,
  laid: [],
  best: [],
  exact: true,
  swing: 0,
  others: [],
  decisions: [],
  lost: 0,
  corners: [],
  ...more,
});
const ADVICE: Advice = {
  turns: [turn(3), turn(8), turn(12), turn(20, { round: 2 })],
  misses: [12, 3],
};

test("the biggest misses keep the server's order", () => {
  expect(biggestMisses(ADVICE).map(({ seq }) => seq)).toEqual([12, 3]);
});

test("a seat's biggest misses are its own, the worst first", () => {
  const done = { action: { kind: 'pass' }, value: 0.5 } as const;
  const judged = { decisions: [{ seq: 1, done, better: null }] };
  const turns = [
    turn(3, { lost: 0.1, swing: 4 }),
    turn(8, { lost: 0.3, swing: 1 }),
    turn(12, { lost: 0.9, seat: 1 }),
    // Tiles were held back, and that was just as good.
    turn(20, { swing: 5, seat: 2, ...judged }),
    // There was no time to judge this one.
    turn(30, { swing: 2, seat: 3 }),
  ];
  const missed = (seat: number) =>
    biggestMissesOf({ turns, misses: [] }, seat).map(({ seq }) => seq);
  expect([0, 1, 2, 3].map(missed)).toEqual([[8, 3], [12], [], [30]]);
});

test('a moment belongs to the last turn begun in its round', () => {
  expect(turnAt(ADVICE, { seq: 2, round: 1 })).toBeNull();
  expect(turnAt(ADVICE, { seq: 11, round: 1 })?.seq).toBe(8);
  expect(turnAt(ADVICE, { seq: 12, round: 1 })?.seq).toBe(12);
  expect(turnAt(ADVICE, { seq: 18, round: 2 })).toBeNull();
});

test('only views with something to show are offered', () => {
  const chain: Placement[] = [['0000', 0, 0]];
  const corner = { cell: [1, 1], tile: '0001', where: 'unseen', seat: null } as const;
  expect(coachViewsFor(turn(3))).toEqual(['laid']);
  expect(coachViewsFor(turn(3, { swing: 1, best: [chain] }))).toEqual(['laid', 'best']);
  expect(coachViewsFor(turn(3, { corners: [{ ...corner, cell: [1, 1] }] }))).toEqual([
    'laid',
    'corners',
  ]);
});

test('a better action is shown first, on the board before it', () => {
  const done = { action: { kind: 'pass' }, value: 0.5 } as const;
  const better = { action: { kind: 'decline' }, value: 0.6 } as const;
  const both = turn(3, { swing: 1, decisions: [{ seq: 5, done, better }] });
  expect(coachViewsFor(both)).toEqual(['laid', 'better', 'best']);
  expect(defaultView(both)).toBe('better');
  expect(seqBefore(both, 'better')).toBe(4);
  expect(seqBefore(both, 'best')).toBe(2);
  expect(defaultView(turn(3, { swing: 1 }))).toBe('best');
  expect(defaultView(turn(3))).toBe('laid');
});

test('the chances of a turn are those of its worst decision, not a sum', () => {
  const pass = { kind: 'pass' } as const;
  const decision = (done: number, better: number): Decision => ({
    seq: 3,
    done: { action: pass, value: done },
    better: { action: pass, value: better },
  });
  const decisions = [decision(0.4, 0.42), decision(0.24, 0.48)];
  expect(worstDecisionChances(turn(3, { decisions, lost: 0.26 }))).toEqual({
    done: 24,
    better: 48,
  });
  expect(worstDecisionChances(turn(3))).toBeNull();
});

test('the number of tiles is shown only if it mattered', () => {
  expect(isTileCountRelevant(turn(3))).toBe(true);
  expect(isTileCountRelevant(turn(3, { swing: 1, lost: 0.2 }))).toBe(true);
  expect(isTileCountRelevant(turn(3, { lost: 0.2 }))).toBe(false);
});

test('the worst decision is the one that gave away the most', () => {
  const decision = (seq: number, done: number, better: number | null): Decision => ({
    seq,
    done: { action: { kind: 'pass' }, value: done },
    better: better === null ? null : { action: { kind: 'decline' }, value: better },
  });
  const decisions = [decision(3, 0.5, null), decision(4, 0.5, 0.6), decision(5, 0.3, 0.7)];
  expect(worstDecision(turn(3, { decisions }))?.seq).toBe(5);
  expect(worstDecision(turn(3, { decisions: decisions.slice(0, 1) }))).toBeNull();
});
