import { expect, test, vi } from 'vitest';
import { call } from '../connection/api';
import { fetchAllEvents } from './fetch-events';

vi.mock('../connection/api', () => ({ call: vi.fn() }));

/** A server with this many events, which sends this many at a time. */
function serve(seq: number, most: number): string[] {
  const asked: string[] = [];
  vi.mocked(call).mockImplementation((_, path) => {
    asked.push(path);
    const after = Number(new URL(path, 'http://x').searchParams.get('after'));
    const length = Math.max(0, Math.min(most, seq - after));
    const events = Array.from({ length }, (_, index) => ({ at: after + index }));
    const actors = events.map(({ at }) => (at % 2 ? 'stand-in' : 'person'));
    return Promise.resolve({ seq, over: false, seat: null, match: 'm.1', events, actors });
  });
  return asked;
}

test.each([1, 9, 10, 11, 35])('a match of %i events is read page by page', async (seq) => {
  const asked = serve(seq, 10);
  const { events, actors } = await fetchAllEvents('/m', null);
  expect(events.map(({ at }) => at)).toEqual([...Array(seq).keys()]);
  expect(actors).toEqual(events.map(({ at }) => (at % 2 ? 'stand-in' : 'person')));
  expect(asked).toHaveLength(Math.ceil(seq / 10));
});

test('each page is asked for with the eyes of the same seat', async () => {
  const asked = serve(12, 10);
  await fetchAllEvents('/m', 2);
  expect(asked).toEqual(['/m/events?after=0&seat=2', '/m/events?after=10&seat=2']);
});

test('a server that sends nothing more is not asked for ever', async () => {
  const asked = serve(5, 0);
  await fetchAllEvents('/m', null);
  expect(asked).toHaveLength(1);
});
