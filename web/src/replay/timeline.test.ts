import { expect, test } from 'vitest';
import type { Actor, GameEvent } from '../lib/wire';
import { momentOf, momentsOf, turnFrom } from './timeline';

/** Only what matters here: the kind, and when. */
const events = (...kinds: string[]): GameEvent[] =>
  kinds.map((kind, index) => ({ kind, at: index, round: 1, seat: 0 }) as unknown as GameEvent);

const MATCH = events(
  'match_opened',
  'round_dealt',
  'chain_laid',
  'bonus_earned',
  'chain_laid',
  'draw_owed',
  'tile_drawn',
  'turn_ended',
  'tile_swapped',
  'turn_ended',
  'round_ended',
  'match_ended',
);

test('what only follows belongs to the moment before', () => {
  const moments = momentsOf(MATCH);
  expect(moments.map(({ event, seq }) => [event.kind, seq])).toEqual([
    ['round_dealt', 2],
    ['chain_laid', 4],
    ['chain_laid', 6],
    ['tile_drawn', 8],
    ['tile_swapped', 10],
    ['round_ended', 11],
    ['match_ended', 12],
  ]);
  expect(moments.at(-1)!.seq).toBe(MATCH.length);
});

test('a link leads to the moment that was seen', () => {
  const moments = momentsOf(MATCH);
  expect([1, 2, 3, 4, 9, 99].map((seq) => momentOf(moments, seq))).toEqual([0, 0, 1, 1, 4, 6]);
});

test('turns are stepped over as a whole', () => {
  const moments = momentsOf(MATCH);
  expect(turnFrom(moments, 2, 1)).toBe(4);
  expect(turnFrom(moments, 4, -1)).toBe(2);
  expect(turnFrom(moments, 6, 1)).toBe(6);
  expect(turnFrom(moments, 0, -1)).toBe(0);
});

test('a match that has only just begun has one moment', () => {
  expect(momentsOf(events('match_opened'))).toHaveLength(1);
  expect(momentsOf(events('match_opened', 'deck_shuffled', 'seat_ready'))).toHaveLength(1);
});

test('what a bot did for somebody is known as such', () => {
  const actors = MATCH.map((_, index) => (index < 4 ? 'stand-in' : 'person') as Actor);
  const moments = momentsOf(MATCH, [null, ...actors.slice(1)]);
  expect(moments.map(({ standIn }) => standIn).slice(0, 4)).toEqual([true, true, false, false]);
  expect(momentsOf(MATCH).some(({ standIn }) => standIn)).toBe(false);
});
