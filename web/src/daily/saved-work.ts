/**
 * What lies on a puzzle of the day, kept in this browser: a reload doesn't lose it, and afterwards
 * it can be looked at. Only the latest day of each kind is kept.
 */

import { storage } from '../lib/storage';
import type { GameName } from '../lib/wire';

interface SavedWork<Work> {
  day: string;
  work: Work;
}

type Kind = string | number;

const storageKey = (game: GameName, kind: Kind): string => `daily.work.${game}.${kind}`;

export function saveWork(game: GameName, kind: Kind, day: string, work: unknown): void {
  storage.set(storageKey(game, kind), { day, work });
}

/** Null if nothing of that day was saved. */
export function loadWork<Work>(game: GameName, kind: Kind, day: string): Work | null {
  const saved = storage.get<SavedWork<Work> | null>(storageKey(game, kind), null);
  return saved?.day === day ? saved.work : null;
}
