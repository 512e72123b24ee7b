import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '../connection/api';
import { RecordedMatch } from './recorded-match.svelte';

vi.mock('../connection/api', () => ({ call: vi.fn() }));
vi.mock('../games/registry', () => ({
  findGame: () => ({
    replay: () => ({ timeline: { roundStart: 'round_dealt', listed: [], shown: [] } }),
  }),
}));

const SEQ = 120;
let over: boolean;
let yours: number[];
let isDown: boolean;
let requests: string[];

beforeEach(() => {
  [over, yours, isDown, requests] = [true, [1], false, []];
  const events = Array.from({ length: SEQ }, () => ({ kind: 'chain_laid', at: 0 }));
  vi.mocked(call).mockImplementation((_, path) => {
    if (isDown) return Promise.reject(new Error('offline'));
    const [where, query] = path.split('?');
    if (query) requests.push(path.replace('/tables/abc/matches/1/', ''));
    if (where!.endsWith('/events'))
      return Promise.resolve({ events, actors: [], seq: SEQ, over, match: 'abc.1', seat: null });
    if (!where!.endsWith('/views')) return Promise.resolve({ table: { game: 'unikat' }, yours });
    const { after = 0, limit } = Object.fromEntries(new URLSearchParams(query)) as never;
    const length = Math.min(Number(limit), SEQ - Number(after));
    const views = Array.from({ length }, (_, at) => ({ bag: Number(after) + at + 1 }));
    return Promise.resolve({ views, sitters: [] });
  });
});

const load = async () => {
  const match = await RecordedMatch.load('abc', 1);
  requests = [];
  return match;
};
const requestedViews = () => requests.map((path) => /after=(\d+)/.exec(path)?.[1]);

test.each([
  { isOver: true, seats: [1], seat: null, ownSeat: 1 },
  { isOver: false, seats: [1], seat: 1, ownSeat: 1 },
  { isOver: false, seats: [0, 2], seat: 0, ownSeat: null },
  { isOver: false, seats: [], seat: null, ownSeat: null },
])('a match is loaded as seen from our seat until it is over: %o', async (example) => {
  [over, yours] = [example.isOver, example.seats];
  const match = await RecordedMatch.load('abc', 1);
  expect([match.seat, match.ownSeat]).toEqual([example.seat, example.ownSeat]);
  await match.ensureView(1);
  const asSeat = example.seat === null ? '' : `&seat=${example.seat}`;
  expect(requests.slice(0, 4)).toEqual([
    'events?limit=1',
    `events?after=0${asSeat}`,
    `views?limit=1${asSeat}`,
    `views?after=0&limit=50${asSeat}`,
  ]);
});

test('views are loaded in chunks, once each, with the next chunk in advance', async () => {
  const match = await load();
  await match.ensureView(50);
  expect(requestedViews()).toEqual(['0', '50']);
  expect([1, 50].map((seq) => match.view(seq))).toEqual([{ bag: 1 }, { bag: 50 }]);
  await match.ensureView(51);
  await match.ensureView(120);
  expect(requestedViews()).toEqual(['0', '50', '100']);
  expect(match.view(120)).toEqual({ bag: 120 });
});

test('views that failed to load are requested again', async () => {
  const match = await load();
  isDown = true;
  await expect(match.ensureView(1)).rejects.toThrow('offline');
  expect(match.view(1)).toBeNull();
  isDown = false;
  await match.ensureView(1);
  expect(match.view(1)).toEqual({ bag: 1 });
});
