// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteGamePlayed, saveBotLevel } from '../connection/table-storage';
import type { PassAndPlayChoices } from '../games/module';
import { translations } from '../lib/i18n.svelte';
import { PLAYERS, type ChairInfo } from '../lib/wire';
import {
  guestName,
  playInCircle,
  playNow,
  playOnOneDevice,
  playOnTelevision,
} from './create-table';

const chairs = (...names: string[]): ChairInfo[] =>
  names.map((name) => ({ name, kind: 'person' }) as ChairInfo);

beforeAll(() => translations.load('en'));

test('guests at a table have different names', () => {
  const first = guestName(chairs('Ola', ''));
  const second = guestName(chairs('Ola', first));
  const third = guestName(chairs('Ola', first, second));
  expect(new Set([first, second, third]).size).toBe(3);
  expect(guestName(chairs('Ola', first, third), 2)).toBe(second);
  expect(guestName(chairs(first))).toBe(second);
});

describe('creating a table', () => {
  const choices = { options: { rounds: 3 } } as unknown as PassAndPlayChoices;
  /** The requests to the server, in order. */
  let requests: { path: string; body: Record<string, unknown> }[];
  const paths = () => requests.map(({ path }) => path).filter((path) => path !== '/cookie');

  beforeEach(() => {
    localStorage.clear();
    requests = [];
    vi.stubGlobal('fetch', (address: string, { body }: RequestInit) => {
      const path = address.replace(/^.*\/api/, '');
      requests.push({ path, body: JSON.parse(body as string) as Record<string, unknown> });
      const table = { id: 'abc', phase: 'lobby', match: 1, commitment: 'seal' };
      return Promise.resolve(new Response(JSON.stringify({ table, seat: 0, recovery: 'code' })));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test('playNow seats a bot on every other chair and starts at once', async () => {
    saveBotLevel('hard');
    await playNow('ubongo');
    const chairs = PLAYERS.ubongo.fewest;
    const bots = Array.from({ length: chairs - 1 }, (_, n) => `/tables/abc/seats/${n + 1}/bot`);
    expect(paths()).toEqual(['/tables', '/tables/abc/seats', ...bots, '/tables/abc/start']);
    expect(requests.find(({ path }) => path === bots[0])?.body).toEqual({ level: 'hard' });
    expect(location.pathname).toBe('/t/abc');
  });

  test('playNow marks a first game until the game has been played', async () => {
    await playNow('unikat');
    noteGamePlayed('unikat');
    await playNow('unikat');
    const tables = requests.filter(({ path }) => path === '/tables');
    expect(tables.map(({ body }) => body['first_game'])).toEqual([true, false]);
  });

  test('playOnOneDevice takes all seats, without an away time', async () => {
    await playOnOneDevice('unikat', ['Ola', 'Max'], choices);
    expect(requests.find(({ path }) => path === '/tables')?.body).toEqual({
      game: 'unikat',
      chairs: 2,
      options: { rounds: 3 },
      agreement: { away_seconds: null },
    });
    const seats = requests.filter(({ path }) => path.endsWith('/seats'));
    expect(seats.map(({ body: { seat, name } }) => [seat, name])).toEqual([
      [0, 'Ola'],
      [1, 'Max'],
    ]);
    expect(paths().at(-1)).toBe('/tables/abc/start');
  });

  test('playInCircle names the circle, and playOnTelevision takes no seat', async () => {
    await playInCircle('unikat', 'family', 'Ola');
    expect(requests[0]!.body).toEqual({ game: 'unikat', circle: 'family' });
    requests = [];
    await playOnTelevision('unikat');
    expect(paths()).toEqual(['/tables']);
    expect(location.pathname).toBe('/screen/abc');
  });
});
