/** Short notes that appear over the page for a moment: refusals, and what somebody did. */

import type { Refused } from '../connection/api';
import { t, words, type Fill } from './i18n.svelte';
import { speaker } from './announcer.svelte';

export interface Note {
  id: number;
  text: string;
  kind: 'plain' | 'wrong';
}

const LASTS = 5000;

class Notes {
  shown: readonly Note[] = $state.raw([]);
  #number = 0;

  show(text: string, kind: Note['kind'] = 'plain'): void {
    const id = ++this.#number;
    this.shown = [...this.shown.slice(-2), { id, text, kind }];
    speaker.say(text);
    window.setTimeout(() => this.drop(id), LASTS);
  }

  drop(id: number): void {
    this.shown = this.shown.filter((note) => note.id !== id);
  }

  /** Say why something was refused, whatever was thrown. */
  wrong(error: unknown): void {
    this.show(whyNot(error), 'wrong');
  }
}

/** The sentence for a refusal. */
export function whyNot(error: unknown): string {
  const { reason, detail } = error as Partial<Refused>;
  if (reason === 'offline') return t('page.offline');
  const key = `reason.${reason ?? 'internal'}`;
  return words.has(key) ? t(key, detail as Fill) : t('reason.internal');
}

export const notes = new Notes();
