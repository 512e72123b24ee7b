// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toasts } from '../lib/toasts.svelte';
import type { ServerMessage, TableInfo } from '../lib/wire';
import { serverClock } from './server-clock';
import { TableConnection } from './table-connection.svelte';
import { hasPlayed, loadRecoveryCodes, saveRecoveryCode } from './table-storage';

class FakeSocket {
  static readonly OPEN = 1;
  static latest: FakeSocket;
  static opened: FakeSocket[] = [];
  readyState = 1;
  sent: unknown[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onopen: (() => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;
  constructor() {
    FakeSocket.latest = this;
    FakeSocket.opened.push(this);
  }
  send = (text: string) => this.sent.push(JSON.parse(text));
  close = vi.fn(() => this.drop(1000));
  receive = (message: Partial<ServerMessage>) =>
    this.onmessage?.({ data: JSON.stringify(message) });
  drop = (code: number) => {
    this.readyState = 3;
    this.onclose?.({ code });
  };
}

let connection: TableConnection;
beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.opened = [];
  connection = new TableConnection('abc');
  connection.seat = 0;
});
afterEach(() => {
  connection.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const hello = {
  kind: 'hello',
  table: { chairs: [] as unknown } as TableInfo,
  yours: [0],
  host: true,
  talk: [],
  now: 0,
};

test('an unanswered action is sent again with the same id', async () => {
  const done = connection.act({ kind: 'ready' });
  const [first] = FakeSocket.latest.sent as { id: string }[];
  FakeSocket.latest.drop(1006);
  expect(connection.status).toBe('lost');
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toEqual([first]);
  FakeSocket.latest.receive({ kind: 'done', id: first!.id, seq: 7 });
  expect(await done).toBe(7);
  expect(connection.unsavedCount).toBe(0);
});

test('an unanswered action stalls the connection until the server sends something', () => {
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  void connection.act({ kind: 'ready' });
  vi.advanceTimersByTime(4900);
  expect(connection.stalled).toBe(false);
  vi.advanceTimersByTime(200);
  expect(connection.stalled).toBe(true);
  expect(connection.status).toBe('open');
  FakeSocket.latest.receive({ kind: 'ping', n: 1 } as Partial<ServerMessage>);
  expect(connection.stalled).toBe(false);
  // A ping isn't an answer.
  vi.advanceTimersByTime(5100);
  expect(connection.stalled).toBe(true);
});

test('a connection without pings is stalled, then lost', () => {
  FakeSocket.latest.onopen?.();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  vi.advanceTimersByTime(14_900);
  expect(connection.stalled).toBe(false);
  vi.advanceTimersByTime(200);
  expect(connection.stalled).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(connection.status).toBe('lost');
  expect(connection.stalled).toBe(false);
});

test('a frozen page closes its connection, and reconnects when it thaws', () => {
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  const [frozen] = FakeSocket.opened;
  document.dispatchEvent(new Event('freeze'));
  expect(frozen!.close).toHaveBeenCalledOnce();
  expect(connection.status).toBe('lost');
  vi.runOnlyPendingTimers();
  expect(FakeSocket.latest).not.toBe(frozen);
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(connection.status).toBe('open');
});

test.each([
  ['gone', 1000],
  ['missing', 4404],
])('actions at a table that is %s are rejected', async (status, code) => {
  const done = connection.act({ kind: 'ready' });
  if (status === 'gone') FakeSocket.latest.receive({ kind: 'table_gone' });
  FakeSocket.latest.drop(code);
  await expect(done).rejects.toMatchObject({ reason: 'no_such_table' });
  expect(connection.status).toBe(status);
  expect(connection.unsavedCount).toBe(0);
});

test('the last line read is remembered', () => {
  localStorage.clear();
  const line = { kind: 'line', number: 3, seat: 1, text: 'hello', reaction: null, change: null };
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  FakeSocket.latest.receive(line as unknown as Partial<ServerMessage>);
  expect(connection.lastRead).toBe(0);
  connection.markRead();
  expect(connection.lastRead).toBe(3);
  const again = new TableConnection('abc');
  expect(again.lastRead).toBe(3);
  again.close();
});

test('a refused chat line is reported to the player and to the chat', () => {
  const refused = vi.fn();
  connection.listenToRefusals(refused);
  connection.say({ kind: 'chat', text: 'hello' });
  FakeSocket.latest.receive({ kind: 'refused', id: null, reason: 'too_many', detail: {} } as never);
  expect(refused).toHaveBeenCalledOnce();
  expect(toasts.shown.at(-1)?.kind).toBe('error');
});

const update = (seq: number, more: object = {}): Partial<ServerMessage> =>
  ({
    kind: 'update',
    match: 'abc.1',
    seq,
    seat: 0,
    events: [],
    view: { ready: [] },
    hash: `hash ${seq}`,
    awaited: [0],
    now: 0,
    ...more,
  }) as unknown as Partial<ServerMessage>;

/** How long the connection waits before it tries again (ms). */
function retryDelay(): number {
  const sockets = FakeSocket.opened.length;
  const start = Date.now();
  while (FakeSocket.opened.length === sockets) vi.advanceTimersToNextTimer();
  return Date.now() - start;
}

test('retry delays grow, and start over after a connection', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const delays = [];
  for (let times = 0; times < 7; times++) {
    FakeSocket.latest.drop(1006);
    delays.push(retryDelay());
  }
  expect(delays).toEqual([300, 600, 1200, 2400, 4800, 8000, 8000]);
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(connection.status).toBe('open');
  FakeSocket.latest.drop(1006);
  expect(retryDelay()).toBe(300);
});

test('retry delays are random', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  FakeSocket.latest.drop(1006);
  expect(retryDelay()).toBe(150);
});

test('when the network is back, it reconnects at once and only once', () => {
  FakeSocket.latest.drop(1006);
  dispatchEvent(new Event('online'));
  expect(FakeSocket.opened).toHaveLength(2);
  dispatchEvent(new Event('online'));
  vi.runOnlyPendingTimers();
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a silent connection is closed, and a pinged one stays open', () => {
  const socket = FakeSocket.latest;
  socket.onopen?.();
  vi.advanceTimersByTime(20_000);
  socket.receive({ kind: 'ping', n: 3 });
  expect(socket.sent).toEqual([{ kind: 'pong', n: 3 }]);
  vi.advanceTimersByTime(20_000);
  expect(socket.close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(socket.close).toHaveBeenCalledOnce();
  expect(connection.status).toBe('lost');
});

test('a page that becomes visible checks whether it is up to date', () => {
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  FakeSocket.latest.receive(update(7));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(FakeSocket.latest.sent).toEqual([{ kind: 'sync', seq: 7, hash: 'hash 7' }]);
});

test('an action while disconnected is sent after reconnecting', () => {
  FakeSocket.latest.drop(1006);
  void connection.act({ kind: 'ready' });
  expect(connection.unsavedCount).toBe(1);
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toMatchObject([{ kind: 'act', action: { kind: 'ready' } }]);
});

test('only unanswered actions are sent again, in order', async () => {
  const [first, ...others] = [1, 2, 3].map(() => connection.act({ kind: 'ready' }));
  const sent = FakeSocket.latest.sent as { id: string }[];
  FakeSocket.latest.receive({ kind: 'done', id: sent[0]!.id, seq: 1 });
  expect(await first).toBe(1);
  FakeSocket.latest.drop(1006);
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toEqual(sent.slice(1));
  for (const { id } of sent.slice(1)) FakeSocket.latest.receive({ kind: 'done', id, seq: 2 });
  expect(await Promise.all(others)).toEqual([2, 2]);
});

test('a second answer to an action is ignored', async () => {
  const done = connection.act({ kind: 'ready' });
  const [{ id }] = FakeSocket.latest.sent as [{ id: string }];
  FakeSocket.latest.receive({ kind: 'done', id, seq: 1 });
  FakeSocket.latest.receive({ kind: 'refused', id, reason: 'wrong_phase', detail: {} });
  expect(await done).toBe(1);
});

test('a refused action is rejected with its reason, and not sent again', async () => {
  const done = connection.act({ kind: 'ready' });
  const [{ id }] = FakeSocket.latest.sent as [{ id: string }];
  FakeSocket.latest.receive({ kind: 'refused', id, reason: 'wrong_phase', detail: { n: 1 } });
  await expect(done).rejects.toMatchObject({ reason: 'wrong_phase', detail: { n: 1 } });
  FakeSocket.latest.drop(1006);
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toEqual([]);
});

test('an action without a seat is rejected', async () => {
  connection.seat = null;
  await expect(connection.act({ kind: 'ready' })).rejects.toMatchObject({
    reason: 'not_your_seat',
  });
  expect(FakeSocket.latest.sent).toEqual([]);
});

test('being ready counts for all awaited seats of this device', () => {
  FakeSocket.latest.receive({ ...hello, yours: [0, 1, 2] } as Partial<ServerMessage>);
  FakeSocket.latest.receive(update(7, { awaited: [0, 2, 3] }));
  void connection.act({ kind: 'ready' });
  expect((FakeSocket.latest.sent as { seat: number }[]).map(({ seat }) => seat)).toEqual([0, 2]);
});

test('after reconnecting, the viewed seat is sent before pending actions', () => {
  connection.viewAs(2);
  void connection.act({ kind: 'ready' });
  const [, act] = FakeSocket.latest.sent;
  FakeSocket.latest.drop(1012);
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toEqual([{ kind: 'sit', seat: 2 }, act]);
});

test('a seat that the server could not show is requested again until it is shown', () => {
  const refusal = { kind: 'refused', id: null, reason: 'unavailable', detail: {} } as const;
  const sit = { kind: 'sit', seat: 2 };
  connection.viewAs(2);
  FakeSocket.latest.receive(refusal);
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.latest.sent).toEqual([sit, sit]);
  FakeSocket.latest.receive(refusal);
  FakeSocket.latest.receive(update(7, { seat: 2 }));
  vi.advanceTimersByTime(1000);
  FakeSocket.latest.receive(refusal); // for a line of chat
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.latest.sent).toEqual([sit, sit]);
});

test('the view from another worker replaces the old one', () => {
  const seen: unknown[] = [];
  connection.listenToEvents((events) => seen.push(events));
  FakeSocket.latest.receive(update(7));
  FakeSocket.latest.drop(1012);
  vi.runOnlyPendingTimers();
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  FakeSocket.latest.receive(update(9, { awaited: [1], view: { ready: [1] } }));
  expect([connection.seq, connection.awaited]).toEqual([9, [1]]);
  expect(connection.latestView).toEqual({ ready: [1] });
  expect(seen).toHaveLength(2);
});

test('older information about the table is ignored', () => {
  const info = (version: number) => ({ version, chairs: [] as unknown }) as TableInfo;
  connection.applyInfo(info(3), [0], true);
  FakeSocket.latest.receive({ kind: 'table_changed', table: info(2), yours: [], host: false });
  expect([connection.info, connection.yours, connection.host]).toEqual([info(3), [0], true]);
  FakeSocket.latest.receive({ kind: 'table_changed', table: info(4), yours: [1], host: false });
  expect([connection.info, connection.yours, connection.host]).toEqual([info(4), [1], false]);
});

test('a recovery code is forgotten with its seat, but not with the cookie', () => {
  const info = (version: number) => ({ version, chairs: [] as unknown }) as TableInfo;
  const greet = (yours: number[]) =>
    FakeSocket.latest.receive({ ...hello, table: info(1), yours } as Partial<ServerMessage>);
  saveRecoveryCode('abc', 0, 'code');
  greet([0]);
  FakeSocket.latest.drop(1006);
  vi.runOnlyPendingTimers();
  greet([]);
  expect(loadRecoveryCodes('abc')).toEqual([[0, 'code']]);
  greet([0]);
  FakeSocket.latest.receive({ kind: 'table_changed', table: info(2), yours: [], host: false });
  expect(loadRecoveryCodes('abc')).toEqual([]);
});

test('a recovery code renewed in the meantime is kept', () => {
  saveRecoveryCode('abc', 0, 'old');
  const info = (version: number) => ({ version, chairs: [] as unknown }) as TableInfo;
  connection.applyInfo(info(1), [0], false);
  saveRecoveryCode('abc', 0, 'new');
  connection.applyInfo(info(2), [], false);
  expect(loadRecoveryCodes('abc')).toEqual([[0, 'new']]);
});

test('a new socket replaces the old one, whose messages are ignored', () => {
  const old = FakeSocket.latest;
  connection.reconnect();
  expect(old.close).toHaveBeenCalledOnce();
  expect(FakeSocket.latest).not.toBe(old);
  old.receive({ kind: 'table_gone' });
  expect(connection.status).toBe('connecting');
  vi.runOnlyPendingTimers();
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a closed connection stays closed', () => {
  connection.close();
  dispatchEvent(new Event('online'));
  vi.runOnlyPendingTimers();
  expect(FakeSocket.opened).toHaveLength(1);
});

test('seats that a stand-in has given back are listed until cleared', () => {
  const table = (version: number, standIns: readonly boolean[], match = 1) =>
    ({ version, match, chairs: standIns.map((stand_in) => ({ stand_in })) }) as TableInfo;
  const changed = (info: TableInfo, yours = [0]) =>
    FakeSocket.latest.receive({ kind: 'table_changed', table: info, yours, host: false });
  // When we connect, a bot is still playing for us, and for someone else.
  FakeSocket.latest.receive({ ...hello, table: table(1, [true, true]) } as Partial<ServerMessage>);
  expect(connection.returnedSeats).toEqual([]);
  changed(table(2, [false, true]));
  expect(connection.returnedSeats).toEqual([0]);
  changed(table(3, [false, false]));
  expect(connection.returnedSeats).toEqual([0]);
  connection.returnedSeats = [];
  // A seat that somebody has just taken wasn't theirs before, and a new match has no stand-ins.
  changed(table(4, [false, true]));
  changed(table(5, [false, false]), [0, 1]);
  changed(table(6, [true, false]));
  changed(table(7, [false, false], 2));
  expect(connection.returnedSeats).toEqual([]);
});

test('a hidden page sends nothing, and reconnects as soon as it is visible', () => {
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  FakeSocket.latest.receive(update(7));
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(FakeSocket.latest.sent).toEqual([]);
  FakeSocket.latest.drop(1006);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(FakeSocket.opened).toHaveLength(1);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(FakeSocket.opened).toHaveLength(2);
});

test('an action before the socket is open is sent once it is', () => {
  FakeSocket.latest.readyState = 0;
  void connection.act({ kind: 'ready' });
  expect(FakeSocket.latest.sent).toEqual([]);
  FakeSocket.latest.readyState = FakeSocket.OPEN;
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  expect(FakeSocket.latest.sent).toMatchObject([{ kind: 'act', action: { kind: 'ready' } }]);
});

test('further actions do not postpone the stall warning', () => {
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  void connection.act({ kind: 'ready' });
  vi.advanceTimersByTime(3000);
  void connection.act({ kind: 'ready' });
  vi.advanceTimersByTime(2100);
  expect(connection.stalled).toBe(true);
});

test('a lost connection is never marked as stalled', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  FakeSocket.latest.receive(hello as Partial<ServerMessage>);
  void connection.act({ kind: 'ready' });
  FakeSocket.latest.drop(1006);
  vi.advanceTimersByTime(5100);
  expect(connection.stalled).toBe(false);
});

test('a connection closed while waiting to retry stays closed', () => {
  FakeSocket.latest.drop(1006);
  connection.close();
  vi.runOnlyPendingTimers();
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a table that is gone is not reported as missing', () => {
  FakeSocket.latest.receive({ kind: 'table_gone' });
  FakeSocket.latest.drop(4404);
  expect(connection.status).toBe('gone');
});

test('a removed listener is no longer called', () => {
  const events = vi.fn();
  const stop = connection.listenToEvents(events);
  FakeSocket.latest.receive(update(7));
  stop();
  FakeSocket.latest.receive(update(8));
  expect(events).toHaveBeenCalledOnce();
});

test('a withdrawn line disappears, and listeners are not called for it', () => {
  const line = (text: string) =>
    ({ kind: 'line', number: 3, seat: 1, text, name: null }) as unknown as Partial<ServerMessage>;
  const listener = vi.fn();
  connection.listenToLines(listener);
  FakeSocket.latest.receive(line('my secret'));
  FakeSocket.latest.receive(line(''));
  expect(connection.talk).toEqual([]);
  expect(listener).toHaveBeenCalledOnce();
  FakeSocket.latest.receive({ ...hello, talk: [line('')] } as unknown as Partial<ServerMessage>);
  expect(connection.talk).toEqual([]);
});

test('the first accepted action marks the game as played', () => {
  const table = { game: 'ubongo', chairs: [] as unknown } as TableInfo;
  FakeSocket.latest.receive({ ...hello, table } as Partial<ServerMessage>);
  expect(hasPlayed('ubongo')).toBe(false);
  void connection.act({ kind: 'ready' });
  const [{ id }] = FakeSocket.latest.sent as [{ id: string }];
  FakeSocket.latest.receive({ kind: 'done', id, seq: 1 });
  expect(hasPlayed('ubongo')).toBe(true);
});

test('updates adjust the server clock', () => {
  const adjust = vi.spyOn(serverClock, 'adjust');
  FakeSocket.latest.receive(update(7, { now: 5000 }));
  expect(adjust).toHaveBeenCalledExactlyOnceWith(5000);
});

describe('recentEvents', () => {
  const requests: string[] = [];
  /** More events than there were at the time of the request. */
  const events = Array.from({ length: 50 }, (_, at) => ({ kind: 'turn_ended', at }));
  beforeEach(() => {
    requests.length = 0;
    vi.stubGlobal('fetch', (address: string) => {
      requests.push(address.replace(/^.*\/api/, ''));
      return Promise.resolve(new Response(JSON.stringify({ events })));
    });
  });

  test('returns the last events up to now, as our seat may see them', async () => {
    FakeSocket.latest.receive(update(60, { seat: 2 }));
    expect(await connection.recentEvents()).toEqual(events.slice(0, 48));
    FakeSocket.latest.receive(update(7, { seat: null }));
    expect(await connection.recentEvents()).toEqual(events.slice(0, 7));
    expect(requests).toEqual([
      '/tables/abc/matches/1/events?after=12&seat=2',
      '/tables/abc/matches/1/events?after=0',
    ]);
  });

  test.each([{ match: 'abc.2' }, { seat: 1 }])(
    'returns nothing if the view has changed to %o meanwhile',
    async (next) => {
      FakeSocket.latest.receive(update(7));
      const recent = connection.recentEvents();
      FakeSocket.latest.receive(update(7, next));
      expect(await recent).toEqual([]);
    },
  );
});
