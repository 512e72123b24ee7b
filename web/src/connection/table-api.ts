/** Requests about a table. The answer is applied at once, without waiting for the socket. */

import { call } from './api';
import type { TableConnection } from './table-connection.svelte';
import type {
  Agreement,
  Level,
  MoveCode,
  MovedSeat,
  TakenSeat,
  TableAnswer,
  TableInfo,
} from '../lib/wire';
import { ensureCookie } from './device-cookie';
import { saveRecoveryCode, saveSeedShare } from './table-storage';

async function requestAndApply<T extends TableAnswer = TableAnswer>(
  connection: TableConnection,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await call<T>(method, `/tables/${connection.table}${path}`, body);
  connection.applyInfo(answer.table, answer.yours, answer.host);
  return answer;
}

/** This browser's part of a seed, so that the server can't choose the deal alone. */
function createSeedShare(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Sit down at a table. Its commitment was published before our share, which makes the deal fair.
 */
export async function takeSeat(table: TableInfo, name: string, seat?: number): Promise<TakenSeat> {
  const ours = createSeedShare();
  const body = { name, share: ours, ...(seat === undefined ? {} : { seat }) };
  await ensureCookie();
  const seated = await call<TakenSeat>('POST', `/tables/${table.id}/seats`, body);
  saveRecoveryCode(table.id, seated.seat, seated.recovery);
  if (table.phase === 'lobby') {
    const { match, commitment } = table;
    saveSeedShare(table.id, { match, commitment, seat: seated.seat, share: ours });
  }
  return seated;
}

export async function sitDown(
  connection: TableConnection,
  name: string,
  seat?: number,
): Promise<TakenSeat> {
  const known = connection.yours.length > 0 || connection.host;
  // The current socket doesn't know us, so it would announce us as somebody else who has sat down.
  if (!known) connection.ignoreSocket();
  try {
    const seated = await takeSeat(connection.info!, name, seat);
    connection.applyInfo(seated.table, seated.yours, seated.host);
    return seated;
  } finally {
    if (!known) connection.reconnect();
  }
}

/** Send a new share for a rematch, for which nobody sits down again. */
export async function sendSeedShare(connection: TableConnection, seat: number): Promise<void> {
  const { match, commitment } = connection.info!;
  const ours = createSeedShare();
  saveSeedShare(connection.table, { match, commitment, seat, share: ours });
  await requestAndApply(connection, 'PUT', `/seats/${seat}/share`, { share: ours });
}

export const freeSeat = (connection: TableConnection, seat: number) =>
  requestAndApply(connection, 'DELETE', `/seats/${seat}`);

export const renameSeat = (connection: TableConnection, seat: number, name: string) =>
  requestAndApply(connection, 'PUT', `/seats/${seat}/name`, { name });

export const takeBackSeat = (connection: TableConnection, seat: number) =>
  requestAndApply(connection, 'POST', `/seats/${seat}/back`);

export const muteSeat = (connection: TableConnection, seat: number, muted: boolean) =>
  requestAndApply(connection, 'PUT', `/seats/${seat}/muted`, { muted });

export const seatBot = (connection: TableConnection, seat: number, level: Level) =>
  requestAndApply(connection, 'PUT', `/seats/${seat}/bot`, { level });

export const removeBot = (connection: TableConnection, seat: number) =>
  requestAndApply(connection, 'DELETE', `/seats/${seat}/bot`);

export const addChair = (connection: TableConnection) =>
  requestAndApply(connection, 'POST', '/chairs');

export const lockTable = (connection: TableConnection, locked: boolean) =>
  requestAndApply(connection, 'PUT', '/lock', { locked });

export const makeHost = (connection: TableConnection, seat: number) =>
  requestAndApply(connection, 'PUT', '/host', { seat });

export const setOptions = (connection: TableConnection, options: TableInfo['options']) =>
  requestAndApply(connection, 'PUT', '/options', options);

export const setAgreement = (connection: TableConnection, agreement: Agreement) =>
  requestAndApply(connection, 'PUT', '/agreement', agreement);

export const startMatch = (connection: TableConnection) =>
  requestAndApply(connection, 'POST', '/start', { without_free: true });

export const returnToLobby = (connection: TableConnection) =>
  requestAndApply(connection, 'POST', '/rematch');

export const voteForRematch = (connection: TableConnection) =>
  requestAndApply(connection, 'POST', '/again');

export const voteOnPause = (connection: TableConnection, wanted: boolean) =>
  requestAndApply(connection, 'POST', '/pause', { wanted });

/** Remind a player of their turn, wherever they are. */
export const nudge = (connection: TableConnection, seat: number) =>
  call<unknown>('POST', `/tables/${connection.table}/nudge`, { seat });

export const createMoveCode = (table: string, seat: number) =>
  call<MoveCode>('POST', `/tables/${table}/seats/${seat}/code`);

/** Codes are read out and typed, so spelling doesn't matter. */
const normalizeCode = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

const MOVE_CODE_LENGTH = 6;

/** A short code moves a seat here; a long one is a recovery code. */
export async function claimSeatByCode(
  connection: TableConnection,
  typed: string,
): Promise<MovedSeat> {
  const code = normalizeCode(typed);
  const path = code.length > MOVE_CODE_LENGTH ? '/recover' : '/codes';
  await ensureCookie();
  const moved = await call<MovedSeat>('POST', path, { table: connection.table, code });
  saveRecoveryCode(connection.table, moved.seat, moved.recovery);
  connection.applyInfo(moved.table, moved.yours, moved.host);
  connection.reconnect();
  return moved;
}

/** The table's id in a link, or given by itself; null if it's neither. */
export function parseTableId(text: string): string | null {
  const found = /(?:^|\/(?:t|screen)\/)([2-9a-hjkmnp-z]{10})(?:[/?#]|$)/.exec(
    text.trim().toLowerCase().replace(/[\s-]/g, ''),
  );
  return found?.[1] ?? null;
}
