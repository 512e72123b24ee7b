/** What this browser keeps of a table: how to get a seat back, and what it gave to the shuffle. */

import { store, stored } from '../lib/storage';
import { LEVELS, type Level } from '../lib/wire';

interface Kept {
  /** Recovery codes by seat. They are told once, when the seat is taken. */
  codes?: Record<number, string>;
  /** By match: the commitment that was seen before, and the shares that were sent after it. */
  dealt?: Record<number, { commitment: string; shares: Record<number, string> }>;
}

const kept = (table: string): Kept => stored<Kept>(`table.${table}`, {});

export function keepCode(table: string, seat: number, code: string): void {
  const old = kept(table);
  store(`table.${table}`, { ...old, codes: { ...old.codes, [seat]: code } });
}

export const keptCodes = (table: string): [seat: number, code: string][] =>
  Object.entries(kept(table).codes ?? {}).map(([seat, code]) => [Number(seat), code]);

export interface Promised {
  match: number;
  commitment: string;
  seat: number;
  share: string;
}

export function keepShare(table: string, { match, commitment, seat, share }: Promised): void {
  const old = kept(table);
  const shares = { ...old.dealt?.[match]?.shares, [seat]: share };
  store(`table.${table}`, { ...old, dealt: { ...old.dealt, [match]: { commitment, shares } } });
}

/** Whether what a match was opened with is what this browser saw and sent; true if it knows nothing. */
export function asPromised(
  table: string,
  match: number,
  opened: { commitment: string; shares: readonly string[] },
): boolean {
  const promised = kept(table).dealt?.[match];
  if (!promised) return true;
  const ours = Object.values(promised.shares);
  return (
    promised.commitment === opened.commitment &&
    ours.every((share) => opened.shares.includes(share))
  );
}

/** A code as it is read aloud: in groups of three. */
export const spaced = (code: string): string => code.replace(/(.{3})(?=.)/g, '$1 ');

/** How long each may take where Ubongo is passed around; null: as long as they like. */
export const keepSeconds = (table: string, seconds: number | null): void =>
  store(`race.seconds.${table}`, seconds);

export const keptSeconds = (table: string): number | null => stored(`race.seconds.${table}`, 60);

/** How strong the bots were that somebody last chose to play again with. */
export const keepLevel = (level: Level): void => store('level', level);

export function keptLevel(): Level {
  const level = stored<Level>('level', 'easy');
  return LEVELS.includes(level) ? level : 'easy';
}
