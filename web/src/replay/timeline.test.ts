import { expect, test } from 'vitest';
import type { Actor, GameEvent } from '../lib/wire';
import { buildTimeline, momentIndexOf, nextListedMoment, type TimelineKinds } from './timeline';

const KINDS: TimelineKinds = {
  roundStart: 'round_dealt',
  listed: ['chain_laid', 'tile_swapped', 'turn_passed'],
  shown: ['bonus_declined', 'tile_drawn'],
};

/** Events with only what matters here: the kind and the time. */
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

test('an event that only follows belongs to the moment before', () => {
  const moments = buildTimeline(MATCH, KINDS);
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

test('a link leads to the moment that was shown', () => {
  const moments = buildTimeline(MATCH, KINDS);
  expect([1, 2, 3, 4, 9, 99].map((seq) => momentIndexOf(moments, seq))).toEqual([0, 0, 1, 1, 4, 6]);
});

test('turns are stepped over as a whole', () => {
  const moments = buildTimeline(MATCH, KINDS);
  expect(nextListedMoment(moments, 2, 1)).toBe(4);
  expect(nextListedMoment(moments, 4, -1)).toBe(2);
  expect(nextListedMoment(moments, 6, 1)).toBe(6);
  expect(nextListedMoment(moments, 0, -1)).toBe(0);
});

test('a match that has only just begun has one moment', () => {
  expect(buildTimeline(events('match_opened'), KINDS)).toHaveLength(1);
  expect(buildTimeline(events('match_opened', 'deck_shuffled', 'seat_ready'), KINDS)).toHaveLength(
    1,
  );
});

test('stopped clocks move the beginning of the round', () => {
  const [opened, dealt, laid, swapped] = MATCH.filter(({ kind }) => kind !== 'bonus_earned');
  const shift = { kind: 'clocks_shifted', at: 1, by: 500 } as unknown as GameEvent;
  const moments = buildTimeline([opened!, dealt!, laid!, shift, swapped!], {
    ...KINDS,
    shift: 'clocks_shifted',
  });
  expect(moments.map(({ roundBegan }) => roundBegan)).toEqual([1, 1, 501]);
});

test('moments played by a stand-in are marked', () => {
  const actors = MATCH.map((_, index) => (index < 4 ? 'stand-in' : 'person') as Actor);
  const moments = buildTimeline(MATCH, KINDS, [null, ...actors.slice(1)]);
  expect(moments.map(({ standIn }) => standIn).slice(0, 4)).toEqual([true, true, false, false]);
  expect(buildTimeline(MATCH, KINDS).some(({ standIn }) => standIn)).toBe(false);
});

test('a moment has the time of the last event that follows from it', () => {
  const moments = buildTimeline(MATCH, KINDS);
  expect(moments.map(({ at }) => at)).toEqual([1, 3, 5, 7, 9, 10, 11]);
});
