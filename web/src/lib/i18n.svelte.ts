/** The page's texts. One language is loaded at a time; the compiler checks the keys. */

import catalogues from 'virtual:texts';
import longCatalogues from 'virtual:long-texts';
import type english from '../../../src/pytlik/i18n/en.json';

export type Key = keyof typeof english;
export type Fill = Readonly<Record<string, string | number>>;

/** Each in its own words, in the order of the menu. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
  pl: 'Polski',
  cs: 'Čeština',
  sk: 'Slovenčina',
  uk: 'Українська',
} as const;
export type Language = keyof typeof LANGUAGES;

/** The first of the browser's languages that has a catalogue. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  const codes = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code): code is Language => code in catalogues) ?? 'en';
}

class Words {
  language: Language = $state('en');
  #texts: Catalogue = $state.raw({});
  #plurals = new Intl.PluralRules('en');
  /** Whether the long texts have been asked for; then they come with every language. */
  #wantsLong = false;

  async load(language: Language): Promise<void> {
    const wanted = language in catalogues ? language : 'en';
    const parts = [catalogues[wanted]!(), ...(this.#wantsLong ? [longCatalogues[wanted]!()] : [])];
    const texts = (await Promise.all(parts)).map((part) => part.default);
    this.#texts = Object.assign({}, ...texts) as Catalogue;
    this.#plurals = new Intl.PluralRules(wanted);
    this.language = wanted;
    document.documentElement.lang = wanted;
  }

  /** Load rules and lessons, when somebody wants to read them. */
  async loadLong(): Promise<void> {
    this.#wantsLong = true;
    await this.load(this.language);
  }

  has(key: string): key is Key {
    return key in this.#texts;
  }

  /** A text, with `{name}` filled in. A text that counts takes its plural form from `n`. */
  text(key: Key, fill: Fill = {}): string {
    const entry = this.#texts[key];
    if (entry === undefined) return '';
    const text =
      typeof entry === 'string'
        ? entry
        : (entry[this.#plurals.select(Number(fill['n'] ?? 0))] ?? entry['other'] ?? '');
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ''));
  }
}

export const words = new Words();

/** `t('page.lay', { n: 3 })`: "Lay 3 tiles". */
export const t = (key: Key, fill?: Fill): string => words.text(key, fill);
