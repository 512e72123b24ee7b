// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import type { TableInfo } from '../lib/wire';
import { parseTableLink, sitDown } from './table-api';
import { TableConnection } from './table-connection.svelte';

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
  expect(parseTableLink(text)).toBe(table);
});

test.each(['', 'hello', 'abcdefghj', 'https://play.example/', 'abcdefghjkl', 'abcdefghi1'])(
  'there is no table in "%s"',
  (text) => {
    expect(parseTableLink(text)).toBeNull();
  },
);
