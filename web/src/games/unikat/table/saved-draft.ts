/** Tiles that were put down and not laid yet, kept in this browser: a reload doesn't lose them. */

import { storage } from '../../../lib/storage';
import type { Placement } from '../../../lib/wire';
import type { UnikatPlay } from './table-props';

const KEY = 'unikat.draft';

interface SavedDraft {
  match: string;
  seat: number;
  chain: readonly Placement[];
}

/** Only the latest is kept. A lesson has no match, and starts anew; a spectator lays nothing. */
export function saveDraft({ match, seat }: UnikatPlay, chain: readonly Placement[]): void {
  if (match && seat !== null) storage.set(KEY, { match, seat, chain } satisfies SavedDraft);
}

/** It may no longer be possible: whoever uses it has to check that. */
export function loadDraft({ match, seat }: UnikatPlay): readonly Placement[] {
  const saved = storage.get<SavedDraft | null>(KEY, null);
  return saved && saved.match === match && saved.seat === seat ? saved.chain : [];
}
