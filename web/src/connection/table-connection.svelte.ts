/**
 * A table as this browser knows it: one socket that comes back by itself. Every update carries the
 * whole view, so coming back is receiving one. An act that was not answered is sent again with its
 * id, and done once.
 */

import { Refused } from './api';
import { base } from '../app/router.svelte';
import { takenBack, withLine, worthShowing } from './chat-log';
import { time } from './server-clock';
import type {
  Act,
  ClientMessage,
  Line,
  ServerMessage,
  TableInfo,
  UbongoAction,
  UbongoEvent,
  UbongoView,
  UnikatAction,
  UnikatEvent,
  UnikatView,
} from '../lib/wire';

export type View = UnikatView | UbongoView;
export type GameEvent = UnikatEvent | UbongoEvent;
export type GameAction = UnikatAction | UbongoAction;

/** `lost`: it is being tried again. The others are final. */
export type Status = 'connecting' | 'open' | 'lost' | 'gone' | 'missing' | 'forbidden';

interface Waiting {
  message: Act;
  done: (seq: number) => void;
  failed: (error: Refused) => void;
}

const SOONEST = 300;
const LATEST = 8000;
/** After so long without a word the line is taken for dead: the server pings every ten seconds. */
const QUIET = 25_000;

export class TableLink {
  status: Status = $state('connecting');
  info: TableInfo | null = $state.raw(null);
  /** The seats that are ours. */
  yours: readonly number[] = $state.raw([]);
  host = $state(false);
  talk: readonly Line[] = $state.raw([]);
  view: View | null = $state.raw(null);
  /** Whose view it is; null: a spectator's. */
  seat: number | null = $state(null);
  match = $state('');
  seq = $state(0);
  /** Acts that are not yet known to be on disk. */
  unsaved = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #listeners = new Set<(events: readonly GameEvent[], view: View) => void>();
  #lines = new Set<(line: Line) => void>();
  #wait = SOONEST;
  #timer = 0;
  #watch = 0;
  #number = 0;
  #hash = '';
  #wanted: number | null | undefined;
  readonly #session = crypto.randomUUID?.().slice(0, 8) ?? String(Math.random()).slice(2, 10);

  constructor(readonly table: string) {
    this.#connect();
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#look);
  }

  close(): void {
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#look);
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Do something for a seat. Resolves when it is on disk; rejects if it was refused. */
  act(action: GameAction, seat = this.seat): Promise<number> {
    if (seat === null) return Promise.reject(new Refused('not_your_seat'));
    const id = `${this.#session}-${++this.#number}`;
    const message: Act = { kind: 'act', id, match: this.match, seat, action };
    return new Promise((done, failed) => {
      this.#waiting.set(id, { message, done, failed });
      this.unsaved = this.#waiting.size;
      this.#say(message);
    });
  }

  /** Look from another seat that is ours, or from none. */
  sit(seat: number | null): void {
    this.#wanted = seat;
    this.#say({ kind: 'sit', seat });
  }

  react(reaction: 'clap' | 'laugh' | 'wow' | 'think' | 'hurry' | 'heart'): void {
    this.#say({ kind: 'react', reaction });
  }

  chat(text: string): void {
    this.#say({ kind: 'chat', text });
  }

  /** Hear what happens, to show it as it happened; returns how to stop hearing. */
  onEvents(listener: (events: readonly GameEvent[], view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onLine(listener: (line: Line) => void): () => void {
    this.#lines.add(listener);
    return () => this.#lines.delete(listener);
  }

  /** What an answer to an HTTP call says of the table, which may be newer than what came here. */
  take(info: TableInfo, yours: readonly number[], host: boolean): void {
    if (this.info && this.info.version > info.version) return;
    this.info = info;
    this.yours = yours;
    this.host = host;
  }

  /** Connect anew: a socket knows us by the cookie that it was opened with, and we have another. */
  again(): void {
    const old = this.#socket;
    this.#socket = null;
    if (old) old.onmessage = null;
    old?.close();
    this.#connect();
  }

  // ---------------------------------------------------------------------------------- the socket

  #connect(): void {
    clearTimeout(this.#timer);
    const address = new URL(`${base}/api/tables/${this.table}/socket`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#alive();
    socket.onmessage = (message) => {
      this.#alive();
      this.#hear(JSON.parse(message.data as string) as ServerMessage);
    };
    socket.onclose = (closed) => {
      if (this.#socket === socket) this.#lost(closed.code);
    };
  }

  #lost(code: number): void {
    clearTimeout(this.#watch);
    this.#socket = null;
    if (this.status === 'gone') return;
    if (code === 4404) {
      this.status = 'missing';
      return;
    }
    this.status = 'lost';
    // Not all at the same moment, when a server comes back.
    this.#timer = window.setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LATEST);
  }

  #alive(): void {
    clearTimeout(this.#watch);
    this.#watch = window.setTimeout(() => this.#socket?.close(), QUIET);
  }

  readonly #hurry = () => {
    this.#wait = SOONEST;
    if (!this.#socket && this.status === 'lost') this.#connect();
  };

  /** A phone that was asleep may have missed that the line is dead. */
  readonly #look = () => {
    if (document.visibilityState !== 'visible') return;
    this.#hurry();
    if (this.match) this.#say({ kind: 'sync', seq: this.seq, hash: this.#hash });
  };

  #say(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: ServerMessage): void {
    switch (message.kind) {
      case 'hello':
        time.heard(message.now);
        this.#wait = SOONEST;
        this.status = 'open';
        this.take(message.table, message.yours, message.host);
        this.talk = worthShowing(message.talk);
        if (this.#wanted !== undefined) this.#say({ kind: 'sit', seat: this.#wanted });
        for (const { message: act } of this.#waiting.values()) this.#say(act);
        break;
      case 'update': {
        time.heard(message.now);
        const view = message.view as View;
        this.match = message.match;
        this.seq = message.seq;
        this.#hash = message.hash;
        this.seat = message.seat;
        this.view = view;
        for (const listener of this.#listeners) listener(message.events as GameEvent[], view);
        break;
      }
      case 'done':
        this.#settle(message.id)?.done(message.seq);
        break;
      case 'refused':
        if (message.id !== null) {
          const refused = new Refused(message.reason as Refused['reason'], message.detail);
          this.#settle(message.id)?.failed(refused);
        }
        break;
      case 'table_changed':
        this.take(message.table, message.yours, message.host);
        break;
      case 'table_gone':
        this.status = 'gone';
        break;
      case 'ping':
        this.#say({ kind: 'pong', n: message.n });
        break;
      case 'line':
        this.talk = withLine(this.talk, message);
        if (!takenBack(message)) for (const listener of this.#lines) listener(message);
        break;
    }
  }

  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.unsaved = this.#waiting.size;
    return waiting;
  }
}
