import { expect, test } from 'vitest';
import { misses, turnAt, type Advice, type CoachedTurn } from './coach';

const turn = (seq: number, swing: number): CoachedTurn => ({
  seq,
  swing,
  seat: 0,
  laid: [],
  best: [],
  corners: [],
});
const ADVICE: Advice = { turns: [turn(3, 1), turn(8, 0), turn(12, 4), turn(20, 2), turn(31, 3)] };

test('the three biggest misses come first, and turns without one do not', () => {
  expect(misses(ADVICE).map(({ seq }) => seq)).toEqual([12, 31, 20]);
  expect(misses({ turns: [turn(3, 0)] })).toEqual([]);
});

test('a moment belongs to the turn that was begun last', () => {
  expect(turnAt(ADVICE, 2)).toBeNull();
  expect(turnAt(ADVICE, 11)?.seq).toBe(8);
  expect(turnAt(ADVICE, 12)?.seq).toBe(12);
});
