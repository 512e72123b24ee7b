/** What is asked of the server about a table. Its answer is shown at once, and not only later. */

import { call, share } from './api';
import type { TableLink } from './table-connection.svelte';
import type {
  Agreement,
  Level,
  MoveCode,
  Moved,
  Seated,
  TableAnswer,
  TableInfo,
  UbongoOptions,
  UnikatOptions,
} from '../lib/wire';
import { haveCookie } from './devices';
import { keepCode, keepShare } from './table-storage';

async function ask<T extends TableAnswer = TableAnswer>(
  link: TableLink,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await call<T>(method, `/tables/${link.table}${path}`, body);
  link.take(answer.table, answer.yours, answer.host);
  return answer;
}

/** Sit down at a table that has been looked at, so that its commitment was there before our share. */
export async function takeSeat(table: TableInfo, name: string, seat?: number): Promise<Seated> {
  const ours = share();
  const body = { name, share: ours, ...(seat === undefined ? {} : { seat }) };
  await haveCookie();
  const seated = await call<Seated>('POST', `/tables/${table.id}/seats`, body);
  keepCode(table.id, seated.seat, seated.recovery);
  if (table.phase === 'lobby') {
    const { match, commitment } = table;
    keepShare(table.id, { match, commitment, seat: seated.seat, share: ours });
  }
  return seated;
}

export async function sit(link: TableLink, name: string, seat?: number): Promise<Seated> {
  const known = link.yours.length > 0 || link.host;
  const seated = await takeSeat(link.info!, name, seat);
  link.take(seated.table, seated.yours, seated.host);
  if (!known) link.again();
  return seated;
}

/** For a rematch nobody sits down anew, but everyone gives a new share. */
export async function giveShare(link: TableLink, seat: number): Promise<void> {
  const { match, commitment } = link.info!;
  const ours = share();
  keepShare(link.table, { match, commitment, seat, share: ours });
  await ask(link, 'PUT', `/seats/${seat}/share`, { share: ours });
}

export const leave = (link: TableLink, seat: number) => ask(link, 'DELETE', `/seats/${seat}`);

export const rename = (link: TableLink, seat: number, name: string) =>
  ask(link, 'PUT', `/seats/${seat}/name`, { name });

export const takeBack = (link: TableLink, seat: number) => ask(link, 'POST', `/seats/${seat}/back`);

export const mute = (link: TableLink, seat: number, muted: boolean) =>
  ask(link, 'PUT', `/seats/${seat}/muted`, { muted });

export const seatBot = (link: TableLink, seat: number, level: Level) =>
  ask(link, 'PUT', `/seats/${seat}/bot`, { level });

export const sendBotAway = (link: TableLink, seat: number) =>
  ask(link, 'DELETE', `/seats/${seat}/bot`);

export const addChair = (link: TableLink) => ask(link, 'POST', '/chairs');

export const lock = (link: TableLink, locked: boolean) => ask(link, 'PUT', '/lock', { locked });

export const setHost = (link: TableLink, seat: number) => ask(link, 'PUT', '/host', { seat });

export const setOptions = (link: TableLink, options: UnikatOptions | UbongoOptions) =>
  ask(link, 'PUT', '/options', options);

export const setAgreement = (link: TableLink, agreement: Agreement) =>
  ask(link, 'PUT', '/agreement', agreement);

export const start = (link: TableLink) => ask(link, 'POST', '/start', { without_free: true });

export const rematch = (link: TableLink) => ask(link, 'POST', '/rematch');

export const wantPause = (link: TableLink, wanted: boolean) =>
  ask(link, 'POST', '/pause', { wanted });

export const moveCode = (table: string, seat: number) =>
  call<MoveCode>('POST', `/tables/${table}/seats/${seat}/code`);

/** Codes are told aloud and typed: however they are written, they are the same. */
const typed = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

const MOVE_LENGTH = 6;

/** A short code moves a seat here; a long one is a recovery code. */
export async function claim(link: TableLink, said: string): Promise<Moved> {
  const code = typed(said);
  const path = code.length > MOVE_LENGTH ? '/recover' : '/codes';
  await haveCookie();
  const moved = await call<Moved>('POST', path, { table: link.table, code });
  keepCode(link.table, moved.seat, moved.recovery);
  link.take(moved.table, moved.yours, moved.host);
  link.again();
  return moved;
}

/** The table that somebody means by a link, or by its code alone; null if it is neither. */
export function tableIn(text: string): string | null {
  const found = /(?:^|\/(?:t|screen)\/)([2-9a-hjkmnp-z]{10})(?:[/?#]|$)/.exec(
    text.trim().toLowerCase().replace(/[\s-]/g, ''),
  );
  return found?.[1] ?? null;
}
