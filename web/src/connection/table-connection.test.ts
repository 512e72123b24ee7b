import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toasts } from '../lib/toasts.svelte';
import type { ServerMessage, TableInfo } from '../lib/wire';
import { TableConnection } from './table-connection.svelte';

class FakeSocket {
  static readonly OPEN = 1;
  static latest: FakeSocket;
  readyState = 1;
  sent: unknown[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;
  constructor() {
    FakeSocket.latest = this;
  }
  send = (text: string) => this.sent.push(JSON.parse(text));
  close = () => undefined;
  receive = (message: Partial<ServerMessage>) =>
    this.onmessage?.({ data: JSON.stringify(message) });
  drop = (code: number) => this.onclose?.({ code });
}

let connection: TableConnection;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  connection = new TableConnection('abc');
  connection.seat = 0;
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

const hello = { kind: 'hello', table: {} as TableInfo, yours: [0], host: true, talk: [], now: 0 };

test('an act that was not answered is sent again with its id, and done once', async () => {
  const done = connection.act({ kind: 'ready' });
  const [first] = FakeSocket.latest.sent as { id: string }[];
  FakeSocket.latest.drop(1006);
  expect(connection.status).toBe('lost');
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toEqual([first]);
  FakeSocket.latest.receive({ kind: 'done', id: first!.id, seq: 7 });
  expect(await done).toBe(7);
  expect(connection.unsaved).toBe(0);
});

test.each([
  ['gone', 1000],
  ['missing', 4404],
])('acts at a table that is %s are rejected', async (status, code) => {
  const done = connection.act({ kind: 'ready' });
  if (status === 'gone') FakeSocket.latest.receive({ kind: 'table_gone' });
  FakeSocket.latest.drop(code);
  await expect(done).rejects.toMatchObject({ reason: 'no_such_table' });
  expect(connection.status).toBe(status);
  expect(connection.unsaved).toBe(0);
});

test('a refused line is reported, to the player and to the chat', () => {
  const refused = vi.fn();
  connection.onRefused(refused);
  connection.chat('hello');
  FakeSocket.latest.receive({ kind: 'refused', id: null, reason: 'too_many', detail: {} } as never);
  expect(refused).toHaveBeenCalledOnce();
  expect(toasts.shown.at(-1)?.kind).toBe('error');
});
