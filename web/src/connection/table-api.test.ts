// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TableInfo } from '../lib/wire';
import { claimSeatByCode, parseTableId, sendSeedShare, sitDown, takeSeat } from './table-api';
import { TableConnection } from './table-connection.svelte';
import { loadRecoveryCodes, matchesSentShares } from './table-storage';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  { who: 'a newcomer', yours: [], received: false },
  { who: 'someone who already has a seat', yours: [1], received: true },
])('while $who sits down, messages are received: $received', async ({ yours, received }) => {
  const table = (version: number) => ({ id: 'abc', version, chairs: [{}, {}] }) as TableInfo;
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    onmessage: ((message: { data: string }) => void) | null = null;
    close = () => undefined;
    constructor() {
      sockets.push(this);
    }
  }
  vi.stubGlobal('WebSocket', FakeSocket);
  const connection = new TableConnection('abc');
  connection.applyInfo(table(1), yours, false);
  const known: number[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    if (!address.endsWith('/seats')) return Promise.resolve(new Response('{}'));
    const news = { kind: 'table_changed', table: table(2), yours: [], host: false };
    sockets[0]!.onmessage?.({ data: JSON.stringify(news) });
    known.push(connection.info!.version);
    const seated = { seat: 0, recovery: '', table: table(2), yours: [0], host: false };
    return Promise.resolve(new Response(JSON.stringify(seated)));
  });
  await sitDown(connection, 'Ola');
  expect(known).toEqual([received ? 2 : 1]);
  expect(connection.yours).toEqual([0]);
  expect(sockets).toHaveLength(received ? 1 : 2);
});

test.each([
  ['abcdefghjk', 'abcdefghjk'],
  ['  ABCDE FGHJK ', 'abcdefghjk'],
  ['https://play.example/t/abcdefghjk', 'abcdefghjk'],
  ['https://play.example/games/t/abcdefghjk#code=a2b3c4', 'abcdefghjk'],
  ['https://play.example/screen/abcdefghjk/', 'abcdefghjk'],
])('a table is found in %s', (text, table) => {
  expect(parseTableId(text)).toBe(table);
});

test.each(['', 'hello', 'abcdefghj', 'https://play.example/', 'abcdefghjkl', 'abcdefghi1'])(
  'there is no table in "%s"',
  (text) => {
    expect(parseTableId(text)).toBeNull();
  },
);

describe('taking a seat', () => {
  const LOBBY = {
    id: 'abc',
    phase: 'lobby',
    match: 1,
    commitment: 'seal',
    version: 1,
  } as TableInfo;
  let requests: { path: string; body: Record<string, string> }[];
  let sockets: number;
  let answer: () => Promise<Response>;
  const requestedPaths = () => requests.map(({ path }) => path);
  const connect = () => {
    const connection = new TableConnection('abc');
    connection.applyInfo(LOBBY, [], false);
    return connection;
  };
  const seated = { seat: 2, recovery: 'r4sba32exm6e', table: LOBBY, yours: [2], host: false };

  beforeEach(() => {
    localStorage.clear();
    [requests, sockets] = [[], 0];
    answer = () => Promise.resolve(new Response(JSON.stringify(seated)));
    vi.stubGlobal(
      'WebSocket',
      class {
        constructor() {
          sockets += 1;
        }
        close = () => undefined;
      },
    );
    vi.stubGlobal('fetch', (address: string, { body }: RequestInit) => {
      const path = address.replace(/^.*\/api/, '');
      requests.push({ path, body: JSON.parse(body as string) as Record<string, string> });
      return path === '/cookie' ? Promise.resolve(new Response('{}')) : answer();
    });
  });

  /** Whether a match with only these shares is consistent with what we have seen and sent. */
  const matches = (...shares: string[]) =>
    matchesSentShares('abc', 1, { commitment: 'seal', shares });

  test('sitting down saves the recovery code and the seed share', async () => {
    await takeSeat(LOBBY, 'Ola');
    expect(loadRecoveryCodes('abc')).toEqual([[2, 'r4sba32exm6e']]);
    const { share } = requests.at(-1)!.body;
    expect(share).toMatch(/^[0-9a-f]{32}$/);
    expect([matches(share!), matches()]).toEqual([true, false]);
  });

  test('no seed share is saved for a match under way', async () => {
    await takeSeat({ ...LOBBY, phase: 'playing' } as TableInfo, 'Ola');
    expect(matches()).toBe(true);
  });

  test('the seed share for a rematch is saved even if the answer is lost', async () => {
    answer = () => Promise.reject(new TypeError());
    await expect(sendSeedShare(connect(), 2)).rejects.toThrow('offline');
    expect([matches(requests.at(-1)!.body['share']!), matches()]).toEqual([true, false]);
  });

  test.each([
    ['A2B-3c4', '/codes', 'a2b3c4'],
    ['R4SB A32E XM6E', '/recover', 'r4sba32exm6e'],
  ])('a code typed as %s is sent to %s', async (typed, path, code) => {
    const connection = connect();
    await claimSeatByCode(connection, typed);
    expect(requests.at(-1)).toEqual({ path, body: { table: 'abc', code } });
    expect(loadRecoveryCodes('abc')).toEqual([[2, 'r4sba32exm6e']]);
    expect(connection.yours).toEqual([2]);
    expect(sockets, 'reconnected with the new cookie').toBe(2);
  });

  test('claiming a seat requests a cookie first', async () => {
    vi.resetModules();
    const fresh = await import('./table-api');
    await fresh.claimSeatByCode(connect(), 'a2b3c4');
    expect(requestedPaths()).toEqual(['/cookie', '/codes']);
  });
});
