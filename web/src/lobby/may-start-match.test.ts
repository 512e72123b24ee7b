import { expect, test } from 'vitest';
import type { ChairInfo } from '../lib/wire';
import { mayStartMatch, seatThatMayStart } from './may-start-match';

const chairs = (...kinds: ChairInfo['kind'][]) => kinds.map((kind) => ({ kind }) as ChairInfo);

test('if the host has a seat, nobody else can start the match', () => {
  const info = { host_seat: 1, chairs: chairs('person', 'person') };
  expect(seatThatMayStart(info)).toBe(1);
  expect(mayStartMatch({ host: true, yours: [1] }, info)).toBe(true);
  expect(mayStartMatch({ host: false, yours: [0] }, info)).toBe(false);
});

test('if a television is the host, the first person can start, too', () => {
  const info = { host_seat: null, chairs: chairs('bot', 'free', 'person', 'person') };
  expect(seatThatMayStart(info)).toBe(2);
  expect(mayStartMatch({ host: false, yours: [2] }, info)).toBe(true);
  expect(mayStartMatch({ host: false, yours: [3] }, info)).toBe(false);
  expect(mayStartMatch({ host: true, yours: [] }, info)).toBe(true);
});

test('a spectator of a television without players cannot start', () => {
  const info = { host_seat: null, chairs: chairs('free', 'bot') };
  expect(seatThatMayStart(info)).toBeUndefined();
  expect(mayStartMatch({ host: false, yours: [] }, info)).toBe(false);
});
