/** Short messages that appear over the page for a moment: refusals, and what somebody did. */

import type { RefusedError } from '../connection/api';
import { announcer } from './announcer.svelte';
import { t, translations, type Fill } from './i18n.svelte';

export interface Toast {
  id: number;
  text: string;
  kind: 'plain' | 'error';
}

const TOAST_SHOWN_MS = 5000;
const MOST_AT_ONCE = 3;

class Toasts {
  shown: readonly Toast[] = $state.raw([]);
  #lastId = 0;

  show(text: string, kind: Toast['kind'] = 'plain'): void {
    const id = ++this.#lastId;
    this.shown = [...this.shown.slice(1 - MOST_AT_ONCE), { id, text, kind }];
    announcer.say(text);
    window.setTimeout(() => this.dismiss(id), TOAST_SHOWN_MS);
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** Explain why something was refused, whatever was thrown. */
  error(error: unknown): void {
    this.show(errorText(error), 'error');
  }
}

/** The sentence for a refusal. */
export function errorText(error: unknown): string {
  const { reason, detail } = error as Partial<RefusedError>;
  if (reason === 'offline') return t('page.offline');
  const key = `reason.${reason ?? 'internal'}`;
  return translations.has(key) ? t(key, detail as Fill) : t('reason.internal');
}

export const toasts = new Toasts();

/** Show why a request fails, if nothing else awaits it. */
export function reportErrors(request: Promise<unknown>): void {
  request.catch((error: unknown) => toasts.error(error));
}
