// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Moment } from '../replay/timeline';
import { standInTurnsSinceLastPlayed } from './stand-in-turns';

/** Moments from text: seat 0 is played in "0p" by a person, in "0b" by a bot; "|" deals a round. */
function play(course: string): Moment[] {
  let round = 0;
  return course.split(' ').map((word, index) => {
    if (word === '|') round += 1;
    const event = word === '|' ? { kind: 'round_dealt' } : { kind: 'x', seat: Number(word[0]) };
    return { seq: index + 1, event, round, standIn: word[1] === 'b' } as unknown as Moment;
  });
}

const turns = (course: string): number[] =>
  standInTurnsSinceLastPlayed(play(course), 0, true).map(({ seq }) => seq);
const rounds = (course: string): number[] =>
  standInTurnsSinceLastPlayed(play(course), 0, false).map(({ seq }) => seq);

test('a turn is everything a bot does until another seat plays', () => {
  expect(turns('| 0p 1p 0b 1p 0b 0b 1p 0b')).toEqual([4, 6, 9]);
});

test('the last turn of a round and the first of the next count as two', () => {
  expect(turns('| 0p 1p 0b | 0b 1p')).toEqual([4, 6]);
});

test('a turn begun by the person and ended by a bot counts', () => {
  expect(turns('| 1p 0p 0b 0b 1p')).toEqual([4]);
});

test('only turns of this seat since its person last played count', () => {
  expect(turns('| 0b 1b 0b 1b 0p 1b')).toEqual([]);
  expect(turns('| 0b 1b 0p 1b 0b 1b')).toEqual([6]);
  expect(turns('| 0p 1p 2b')).toEqual([]);
});

test('if everyone plays at once, rounds are counted', () => {
  expect(rounds('| 0p 1p | 1p 0b 1p 0b | 0b 1p')).toEqual([6, 10]);
  expect(rounds('| 0b 1p 0p 1p')).toEqual([]);
});
