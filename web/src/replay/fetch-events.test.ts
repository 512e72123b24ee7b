import { expect, test, vi } from 'vitest';
import { call } from '../connection/api';
import { fetchAllEvents } from './fetch-events';

vi.mock('../connection/api', () => ({ call: vi.fn() }));

/** A server with this many events, which sends this many at a time. */
function serve(seq: number, pageSize: number): string[] {
  const requests: string[] = [];
  vi.mocked(call).mockImplementation((_, path) => {
    requests.push(path);
    const after = Number(new URL(path, 'http://x').searchParams.get('after'));
    const length = Math.max(0, Math.min(pageSize, seq - after));
    const events = Array.from({ length }, (_, index) => ({ at: after + index }));
    const actors = events.map(({ at }) => (at % 2 ? 'stand-in' : 'person'));
    return Promise.resolve({ seq, over: false, seat: null, match: 'm.1', events, actors });
  });
  return requests;
}

test.each([1, 9, 10, 11, 35])('a match of %i events is read page by page', async (seq) => {
  const requests = serve(seq, 10);
  const { events, actors } = await fetchAllEvents('/m', null);
  expect(events.map(({ at }) => at)).toEqual([...Array(seq).keys()]);
  expect(actors).toEqual(events.map(({ at }) => (at % 2 ? 'stand-in' : 'person')));
  expect(requests).toHaveLength(Math.ceil(seq / 10));
});

test('each page is requested for the same seat', async () => {
  const requests = serve(12, 10);
  await fetchAllEvents('/m', 2);
  expect(requests).toEqual(['/m/events?after=0&seat=2', '/m/events?after=10&seat=2']);
});

test('fetching stops if the server sends nothing more', async () => {
  const requests = serve(5, 0);
  await fetchAllEvents('/m', null);
  expect(requests).toHaveLength(1);
});
