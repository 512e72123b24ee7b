/** A player's own settings, kept in this browser. */

import { browserLanguage, t, translations, type Language } from './i18n.svelte';
import { storage } from './storage';

export type Skin = 'huch' | 'granna';
export type Theme = 'system' | 'light' | 'dark';
export type Speed = 'calm' | 'normal' | 'quick' | 'none';

interface ChosenSettings {
  language: Language;
  /** Unikat's edition; null: the one that is known where the language is spoken. */
  skin: Skin | null;
  theme: Theme;
  /** null: the system's setting. */
  contrast: boolean | null;
  /** Patterns and outlines beside the colours. */
  patterns: boolean;
  speed: Speed;
  /** 0 to 1. */
  volume: number;
  /** Whether the phone may vibrate: on your turn, or when a piece is placed. */
  vibration: boolean;
  name: string;
}

const DURATION_SCALE_BY_SPEED: Readonly<Record<Speed, number>> = {
  calm: 1.6,
  normal: 1,
  quick: 0.55,
  none: 0,
};

const mediaQuery = (query: string): MediaQueryList | undefined =>
  typeof matchMedia === 'function' ? matchMedia(query) : undefined;

/** Give the browser's own bars the colour of the page, whatever the theme. */
function setBrowserColour(): void {
  const { backgroundColor } = getComputedStyle(document.documentElement);
  const metas = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]');
  for (const meta of metas) meta.content = backgroundColor;
}

class Settings {
  #chosen: ChosenSettings = $state({
    language: browserLanguage(),
    skin: null,
    theme: 'system',
    contrast: null,
    patterns: true,
    speed: 'normal',
    volume: 0.5,
    vibration: true,
    name: '',
    ...storage.get<Partial<ChosenSettings>>('settings', {}),
  });
  #reducedMotion = $state(false);
  /** The theme whose colour the browser's bars have: at first the system's, by index.html. */
  #themeOfBrowser: Theme = 'system';

  constructor() {
    const reduced = mediaQuery('(prefers-reduced-motion: reduce)');
    this.#reducedMotion = reduced?.matches ?? false;
    reduced?.addEventListener('change', ({ matches }) => {
      this.#reducedMotion = matches;
      this.applyToDocument();
    });
    mediaQuery('(prefers-color-scheme: dark)')?.addEventListener('change', setBrowserColour);
    // A choice in one window applies to all of them.
    if (typeof addEventListener === 'function') addEventListener('storage', this.#onStorage);
  }

  get chosen(): Readonly<ChosenSettings> {
    return this.#chosen;
  }

  get skin(): Skin {
    return this.#chosen.skin ?? (t('language.skin') === 'granna' ? 'granna' : 'huch');
  }

  /** How much longer than usual animations take; 0: nothing moves. */
  get durationScale(): number {
    return this.#reducedMotion ? 0 : DURATION_SCALE_BY_SPEED[this.#chosen.speed];
  }

  set<K extends keyof ChosenSettings>(key: K, value: ChosenSettings[K]): void {
    this.#chosen[key] = value;
    storage.set('settings', $state.snapshot(this.#chosen));
    if (key === 'language') void translations.load(String(value));
    this.applyToDocument();
  }

  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key !== 'pytlik.settings') return;
    Object.assign(this.#chosen, storage.get<Partial<ChosenSettings>>('settings', {}));
    void translations.load(this.#chosen.language);
    this.applyToDocument();
  };

  /** Pass the settings to the style sheets. */
  applyToDocument(): void {
    const { dataset } = document.documentElement;
    const { theme, contrast } = this.#chosen;
    dataset['theme'] = theme;
    dataset['contrast'] = contrast === null ? 'system' : contrast ? 'more' : 'normal';
    dataset['still'] = String(this.durationScale === 0);
    if (theme === this.#themeOfBrowser) return;
    this.#themeOfBrowser = theme;
    setBrowserColour();
  }
}

export const settings = new Settings();
