/**
 * What lies on a puzzle of the day, kept in this browser: it survives a reload, and can be viewed
 * afterwards. Only the latest day of each kind is kept.
 */

import { storage } from '../lib/storage';
import type { GameName } from '../lib/wire';

interface SavedProgress<Progress> {
  day: string;
  work: Progress;
}

type Kind = string | number;

const storageKey = (game: GameName, kind: Kind): string => `daily.work.${game}.${kind}`;

export function saveProgress(game: GameName, kind: Kind, day: string, progress: unknown): void {
  storage.set(storageKey(game, kind), { day, work: progress });
}

/** Null if nothing of that day was saved. */
export function loadProgress<Progress>(game: GameName, kind: Kind, day: string): Progress | null {
  const saved = storage.get<SavedProgress<Progress> | null>(storageKey(game, kind), null);
  return saved?.day === day ? saved.work : null;
}
