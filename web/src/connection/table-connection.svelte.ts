/**
 * A table as this browser knows it, over one socket that reconnects by itself. Every update carries
 * the whole view, so reconnecting means receiving one. An action without an answer is sent again
 * with the same id, and the server does it once.
 */

import { basePath } from '../lib/navigation';
import { storage } from '../lib/storage';
import { toasts } from '../lib/toasts.svelte';
import type {
  Act,
  Chat,
  ClientMessage,
  Events,
  GameAction,
  GameEvent,
  Line,
  React,
  ServerMessage,
  TableInfo,
  View,
} from '../lib/wire';
import { call, RefusedError } from './api';
import { addOrReplaceLine, isWithdrawal, withoutWithdrawn } from './chat-log';
import type { PlayableMatch } from './playable-match';
import { serverClock } from './server-clock';
import { forgetRecoveryCodes, loadRecoveryCodes, noteGamePlayed } from './table-storage';

/** `lost`: reconnecting. `gone` and `missing` are final. */
export type Status = 'connecting' | 'open' | 'lost' | 'gone' | 'missing';

interface PendingAct {
  message: Act;
  resolve: (seq: number) => void;
  reject: (error: RefusedError) => void;
}

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 8000;
/** The server pings every ten seconds, so a silent connection is a dead one. */
const SILENCE_TIMEOUT_MS = 25_000;
/** The connection is stalled if the server sends nothing for this long while an action waits… */
const ANSWER_TIMEOUT_MS = 5000;
/** …and otherwise if its next ping is late. */
const PING_TIMEOUT_MS = 15_000;
/** The server refuses with "unavailable" when it will probably be back soon. */
const SEAT_RETRY_MS = 1000;
/** Close code of a table that doesn't exist. */
const NO_SUCH_TABLE_CODE = 4404;
/** More events than four turns can have. */
const RECENT_EVENT_COUNT = 48;

export class TableConnection implements PlayableMatch<View, GameAction, GameEvent> {
  status: Status = $state('connecting');
  /** Whether the server has been silent for too long, although the connection is still open. */
  stalled = $state(false);
  info: TableInfo | null = $state.raw(null);
  /** The seats that this browser holds. */
  yours: readonly number[] = $state.raw([]);
  host = $state(false);
  /** Our seats that a stand-in has just given back, until the page sums up what it played. */
  returnedSeats: readonly number[] = $state.raw([]);
  talk: readonly Line[] = $state.raw([]);
  /** The number of the last line that has been read in this browser. */
  lastRead = $state(0);
  /** Null until the first update; a game's table is shown only afterwards. */
  latestView: View | null = $state.raw(null);
  /** For a game's table, which is shown only once there is a view. */
  readonly view: View = $derived(this.latestView!);
  /** The seat whose view this is; null for a spectator. */
  seat: number | null = $state(null);
  /** The seats that the match is waiting for. */
  awaited: readonly number[] = $state.raw([]);
  match = $state('');
  seq = $state(0);
  /** How many actions aren't known to be stored yet. */
  unsavedCount = $state(0);
  /** Another match is about to start at once, so the lobby in between sends no share of its own. */
  startingAgain = $state(false);

  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingAct>();
  #eventListeners = new Set<(events: readonly GameEvent[], view: View) => void>();
  #lineListeners = new Set<(line: Line) => void>();
  #refusalListeners = new Set<(refused: RefusedError) => void>();
  #retryMs = FIRST_RETRY_MS;
  #retryTimer = 0;
  #silenceTimer = 0;
  #stallTimer = 0;
  #seatTimer = 0;
  #actCount = 0;
  #viewHash = '';
  #wantedSeat: number | null | undefined;
  /** Recovery codes of the seats that we hold by the cookie of the current socket. */
  #validCodes: readonly string[] = [];
  readonly #session = crypto.randomUUID?.().slice(0, 8) ?? String(Math.random()).slice(2, 10);
  readonly #closing = new AbortController();

  constructor(readonly table: string) {
    const { signal } = this.#closing;
    this.lastRead = storage.get(`talk.${table}`, 0);
    const retryNow = () => {
      this.#retryMs = FIRST_RETRY_MS;
      if (!this.#socket && this.status === 'lost') this.#connect();
    };
    // A phone that was asleep may have missed that the connection is dead.
    const wakeUp = () => {
      if (document.visibilityState !== 'visible') return;
      retryNow();
      if (this.match) this.#send({ kind: 'sync', seq: this.seq, hash: this.#viewHash });
    };
    addEventListener('online', retryNow, { signal });
    document.addEventListener('visibilitychange', wakeUp, { signal });
    // A frozen page shows nothing and answers nobody, although its socket would stay open: without
    // it we count as away, and the server notifies us. When the page thaws, it connects again.
    document.addEventListener('freeze', () => this.#socket?.close(), { signal });
    this.#connect();
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    clearTimeout(this.#stallTimer);
    clearTimeout(this.#seatTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /**
   * Do an action for a seat. Resolves once it's stored; rejects with RefusedError. On a device that
   * holds several seats, being ready counts for all of them unless a seat is named.
   */
  act(action: GameAction, seat?: number): Promise<unknown> {
    if (seat === undefined && action.kind === 'ready' && this.yours.length > 1) {
      const waiting = this.yours.filter((own) => this.awaited.includes(own));
      return Promise.all(waiting.map((own) => this.act(action, own)));
    }
    const actor = seat ?? this.seat;
    if (actor === null) return Promise.reject(new RefusedError('not_your_seat'));
    const id = `${this.#session}-${++this.#actCount}`;
    const message: Act = { kind: 'act', id, match: this.match, seat: actor, action };
    return new Promise<number>((resolve, reject) => {
      this.#pending.set(id, { message, resolve, reject });
      this.unsavedCount = this.#pending.size;
      if (this.unsavedCount === 1) this.#restartStallTimer();
      this.#send(message);
    });
  }

  skipBots(): Promise<unknown> {
    return call('POST', `/tables/${this.table}/skip`);
  }

  /** See the table from another of our seats, or as a spectator. */
  viewAs(seat: number | null): void {
    this.#wantedSeat = seat;
    this.#send({ kind: 'sit', seat });
  }

  /** Say something to everyone at the table. */
  say(message: React | Chat): void {
    this.#send(message);
  }

  /** Mark everything said so far as read. */
  markRead(): void {
    const newest = this.talk.at(-1)?.number ?? 0;
    if (newest <= this.lastRead) return;
    this.lastRead = newest;
    storage.set(`talk.${this.table}`, newest);
  }

  /** Listen to events as they happen. Returns a function that stops it. */
  listenToEvents(listener: (events: readonly GameEvent[], view: View) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Listen to what people say, and to reactions and changes of seats. */
  listenToLines(listener: (line: Line) => void): () => void {
    this.#lineListeners.add(listener);
    return () => this.#lineListeners.delete(listener);
  }

  /** Listen to refusals of anything but actions, whose promises are rejected. */
  listenToRefusals(listener: (refused: RefusedError) => void): () => void {
    this.#refusalListeners.add(listener);
    return () => this.#refusalListeners.delete(listener);
  }

  /** The last events of the match; none if something else happened before they arrived. */
  async recentEvents(): Promise<readonly GameEvent[]> {
    const { match, seat, seq } = this;
    const after = Math.max(seq - RECENT_EVENT_COUNT, 0);
    const path = `/tables/${match.replace('.', '/matches/')}/events?after=${after}`;
    const { events } = await call<Events>('GET', seat === null ? path : `${path}&seat=${seat}`);
    return this.match === match && this.seat === seat ? events.slice(0, seq - after) : [];
  }

  /**
   * Apply what a message or an HTTP answer says about the table, unless something newer is known.
   */
  applyInfo(info: TableInfo, yours: readonly number[], host: boolean): void {
    const known = this.info;
    if (known && known.version > info.version) return;
    if (known && known.match === info.match) {
      const played = this.yours.filter((seat) => known.chairs[seat]?.stand_in);
      const back = played.filter((seat) => yours.includes(seat) && !info.chairs[seat]?.stand_in);
      if (back.length) this.returnedSeats = back;
    }
    // Seats that aren't ours anymore were moved, left or freed, and their codes are invalid.
    if (!yours.length && this.#validCodes.length) forgetRecoveryCodes(this.table, this.#validCodes);
    this.#validCodes = yours.length ? loadRecoveryCodes(this.table).map(([, code]) => code) : [];
    this.info = info;
    this.yours = yours;
    this.host = host;
  }

  /** Ignore all further messages of the current socket. */
  ignoreSocket(): void {
    if (this.#socket) this.#socket.onmessage = null;
  }

  /** Open a new socket: the old one knows us by the cookie that it was opened with. */
  reconnect(): void {
    const old = this.#socket;
    this.ignoreSocket();
    this.#socket = null;
    old?.close();
    this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    const address = new URL(`${basePath}/api/tables/${this.table}/socket`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.#socket = socket;
    const restartSilenceTimer = () => {
      clearTimeout(this.#silenceTimer);
      this.#silenceTimer = window.setTimeout(() => this.#socket?.close(), SILENCE_TIMEOUT_MS);
    };
    socket.onopen = restartSilenceTimer;
    socket.onmessage = (message) => {
      restartSilenceTimer();
      this.stalled = false;
      this.#receive(JSON.parse(message.data as string) as ServerMessage);
      this.#restartStallTimer();
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#onClose(code);
    };
  }

  #restartStallTimer(): void {
    clearTimeout(this.#stallTimer);
    const patience = this.#pending.size ? ANSWER_TIMEOUT_MS : PING_TIMEOUT_MS;
    this.#stallTimer = window.setTimeout(() => (this.stalled = true), patience);
  }

  #onClose(code: number): void {
    clearTimeout(this.#silenceTimer);
    clearTimeout(this.#stallTimer);
    this.stalled = false;
    this.#socket = null;
    if (code === NO_SUCH_TABLE_CODE && this.status !== 'gone') this.status = 'missing';
    if (this.status === 'gone' || this.status === 'missing') {
      for (const id of [...this.#pending.keys()])
        this.#takePending(id)?.reject(new RefusedError('no_such_table'));
      return;
    }
    this.status = 'lost';
    // Spread out, so that not everyone returns at the same moment when a server comes back.
    const delay = this.#retryMs * (0.5 + Math.random() / 2);
    this.#retryTimer = window.setTimeout(() => this.#connect(), delay);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #receive(message: ServerMessage): void {
    switch (message.kind) {
      case 'hello':
        serverClock.adjust(message.now);
        this.#retryMs = FIRST_RETRY_MS;
        this.status = 'open';
        // If a browser has lost its cookie, it needs the codes to get its seats back.
        this.#validCodes = [];
        this.applyInfo(message.table, message.yours, message.host);
        this.talk = withoutWithdrawn(message.talk);
        if (this.#wantedSeat !== undefined) this.#send({ kind: 'sit', seat: this.#wantedSeat });
        for (const { message: act } of this.#pending.values()) this.#send(act);
        break;
      case 'update':
        serverClock.adjust(message.now);
        this.match = message.match;
        this.seq = message.seq;
        this.#viewHash = message.hash;
        this.seat = message.seat;
        this.awaited = message.awaited;
        this.latestView = message.view;
        for (const listener of this.#eventListeners) listener(message.events, message.view);
        break;
      case 'done':
        if (this.info) noteGamePlayed(this.info.game);
        this.#takePending(message.id)?.resolve(message.seq);
        break;
      case 'refused': {
        const refused = new RefusedError(message.reason, message.detail);
        if (message.id !== null) this.#takePending(message.id)?.reject(refused);
        else {
          toasts.error(refused);
          if (refused.reason === 'unavailable') this.#retryWantedSeat();
          for (const listener of this.#refusalListeners) listener(refused);
        }
        break;
      }
      case 'table_changed':
        this.applyInfo(message.table, message.yours, message.host);
        break;
      case 'table_gone':
        this.status = 'gone';
        break;
      case 'ping':
        this.#send({ kind: 'pong', n: message.n });
        break;
      case 'line':
        this.talk = addOrReplaceLine(this.talk, message);
        if (!isWithdrawal(message)) for (const listener of this.#lineListeners) listener(message);
        break;
    }
  }

  /** Ask again for the wanted seat, from which the server couldn't show the match. */
  #retryWantedSeat(): void {
    const seat = this.#wantedSeat;
    if (seat === undefined || seat === this.seat) return;
    clearTimeout(this.#seatTimer);
    this.#seatTimer = window.setTimeout(() => {
      if (this.#wantedSeat === seat && this.seat !== seat) this.#send({ kind: 'sit', seat });
    }, SEAT_RETRY_MS);
  }

  #takePending(id: string): PendingAct | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.unsavedCount = this.#pending.size;
    return pending;
  }
}
