/**
 * What this browser keeps about tables: recovery codes, seed shares, and which games were played.
 */

import { storage } from '../lib/storage';
import { LEVELS, type GameName, type Level } from '../lib/wire';

interface StoredTable {
  /** Recovery codes by seat. The server shows each of them only once. */
  codes?: Record<number, string>;
  /** By match: the commitment that we saw, and the shares that we sent after it. */
  dealt?: Record<number, { commitment: string; shares: Record<number, string> }>;
}

const loadStoredTable = (table: string): StoredTable =>
  storage.get<StoredTable>(`table.${table}`, {});

export function saveRecoveryCode(table: string, seat: number, code: string): void {
  const old = loadStoredTable(table);
  setMayHaveTables(true);
  storage.set(`table.${table}`, { ...old, codes: { ...old.codes, [seat]: code } });
}

export const loadRecoveryCodes = (table: string): [seat: number, code: string][] =>
  Object.entries(loadStoredTable(table).codes ?? {}).map(([seat, code]) => [Number(seat), code]);

/** Whether this browser may have tables, so that the first page waits for them. */
export const mayHaveTables = (): boolean => storage.get('tables', false);

export const setMayHaveTables = (has: boolean): void => storage.set('tables', has);

/** Whether a game was ever played in this browser, even if it wasn't finished. */
export const hasPlayed = (game: GameName): boolean => storage.get(`played.${game}`, false);

export function noteGamePlayed(game: GameName): void {
  if (!hasPlayed(game)) storage.set(`played.${game}`, true);
}

/** Forget codes that are no longer valid. */
export function forgetRecoveryCodes(table: string, voided: readonly string[]): void {
  const old = loadStoredTable(table);
  const kept = Object.entries(old.codes ?? {}).filter(([, code]) => !voided.includes(code));
  storage.set(`table.${table}`, { ...old, codes: Object.fromEntries(kept) });
}

export interface SentSeedShare {
  match: number;
  commitment: string;
  seat: number;
  share: string;
}

export function saveSeedShare(
  table: string,
  { match, commitment, seat, share }: SentSeedShare,
): void {
  const old = loadStoredTable(table);
  const shares = { ...old.dealt?.[match]?.shares, [seat]: share };
  storage.set(`table.${table}`, {
    ...old,
    dealt: { ...old.dealt, [match]: { commitment, shares } },
  });
}

/** Whether a match was opened with what this browser saw and sent; true if it knows nothing. */
export function matchesSentShares(
  table: string,
  match: number,
  opened: { commitment: string; shares: readonly string[] },
): boolean {
  const promised = loadStoredTable(table).dealt?.[match];
  if (!promised) return true;
  const ours = Object.values(promised.shares);
  return (
    promised.commitment === opened.commitment &&
    ours.every((share) => opened.shares.includes(share))
  );
}

/** A code in groups of three, as people read it out. */
export const formatCode = (code: string): string => code.replace(/(.{3})(?=.)/g, '$1 ');

/** The level of the bots that somebody last chose for a rematch. */
export const saveBotLevel = (level: Level): void => storage.set('level', level);

export function loadBotLevel(): Level {
  const level = storage.get<Level>('level', 'easy');
  return LEVELS.includes(level) ? level : 'easy';
}
