/** What a person has chosen for themselves, in this browser. */

import { preferred, words, type Language } from './i18n.svelte';
import { store, stored } from './storage';

export type Skin = 'huch' | 'granna';
export type Theme = 'system' | 'light' | 'dark';
export type Speed = 'calm' | 'normal' | 'quick' | 'none';

interface Chosen {
  language: Language;
  /** Of Unikat; null: the look that people know where the language is spoken. */
  skin: Skin | null;
  theme: Theme;
  /** null: as the system says. */
  contrast: boolean | null;
  /** Patterns and outlines beside the colours. */
  patterns: boolean;
  speed: Speed;
  /** 0 to 1. */
  volume: number;
  name: string;
}

const GRANNA: readonly Language[] = ['pl', 'cs', 'sk', 'uk'];

const SPEEDS: Readonly<Record<Speed, number>> = { calm: 1.6, normal: 1, quick: 0.55, none: 0 };

const media = (query: string): MediaQueryList | undefined =>
  typeof matchMedia === 'function' ? matchMedia(query) : undefined;

class Settings {
  #chosen: Chosen = $state({
    language: preferred(),
    skin: null,
    theme: 'system',
    contrast: null,
    patterns: true,
    speed: 'normal',
    volume: 0.5,
    name: '',
    ...stored<Partial<Chosen>>('settings', {}),
  });
  #still = $state(false);

  constructor() {
    const still = media('(prefers-reduced-motion: reduce)');
    this.#still = still?.matches ?? false;
    still?.addEventListener('change', (event) => (this.#still = event.matches));
    // What is chosen in one window holds in all of them.
    if (typeof addEventListener === 'function') addEventListener('storage', this.#elsewhere);
  }

  get chosen(): Readonly<Chosen> {
    return this.#chosen;
  }

  get skin(): Skin {
    return this.#chosen.skin ?? (GRANNA.includes(words.language) ? 'granna' : 'huch');
  }

  /** How much longer than usual movements take; 0: nothing moves. */
  get pace(): number {
    return this.#still ? 0 : SPEEDS[this.#chosen.speed];
  }

  set<K extends keyof Chosen>(key: K, value: Chosen[K]): void {
    this.#chosen[key] = value;
    store('settings', $state.snapshot(this.#chosen));
    if (key === 'language') void words.load(value as Language);
    this.show();
  }

  readonly #elsewhere = ({ key }: StorageEvent): void => {
    if (key !== 'pytlik.settings') return;
    Object.assign(this.#chosen, stored<Partial<Chosen>>('settings', {}));
    void words.load(this.#chosen.language);
    this.show();
  };

  /** Let the style sheets know. */
  show(): void {
    const { dataset } = document.documentElement;
    const { theme, contrast } = this.#chosen;
    dataset['theme'] = theme;
    dataset['contrast'] = contrast === null ? 'system' : contrast ? 'more' : 'normal';
    dataset['still'] = String(this.pace === 0);
  }
}

export const settings = new Settings();
