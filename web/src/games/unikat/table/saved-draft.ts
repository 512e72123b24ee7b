/** Tiles that were put down and not laid yet, kept in this browser: a reload doesn't lose them. */

import { storage } from '../../../lib/storage';
import type { Placement } from '../../../lib/wire';
import type { PlayableUnikatMatch } from './table-props';

const DRAFT_KEY = 'unikat.draft';

interface SavedDraft {
  match: string;
  seat: number;
  chain: readonly Placement[];
}

/** Only the latest is kept. A lesson has no match, and starts anew; a spectator lays nothing. */
export function saveDraft({ match, seat }: PlayableUnikatMatch, chain: readonly Placement[]): void {
  if (match && seat !== null) storage.set(DRAFT_KEY, { match, seat, chain } satisfies SavedDraft);
}

/** It may no longer be possible: the caller has to check that. */
export function loadDraft({ match, seat }: PlayableUnikatMatch): readonly Placement[] {
  const saved = storage.get<SavedDraft | null>(DRAFT_KEY, null);
  return saved && saved.match === match && saved.seat === seat ? saved.chain : [];
}
