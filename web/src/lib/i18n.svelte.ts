/** The page's words. One language is loaded at a time; the keys are checked by the compiler. */

import catalogues from 'virtual:texts';
import long from 'virtual:long-texts';
import type english from '../../../src/pytlik/i18n/en.json';

export type Key = keyof typeof english;
export type Fill = Readonly<Record<string, string | number>>;

/** Each in its own words, in the order in which they are offered. */
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

/** The first of the browser's languages that there is a catalogue for. */
export function preferred(wanted: readonly string[] = navigator.languages): Language {
  const codes = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code): code is Language => code in catalogues) ?? 'en';
}

class Words {
  language: Language = $state('en');
  #texts: Catalogue = $state.raw({});
  #rules = new Intl.PluralRules('en');

  async load(language: Language, { withLong = false } = {}): Promise<void> {
    const wanted = language in catalogues ? language : 'en';
    const parts = [catalogues[wanted]!(), ...(withLong ? [long[wanted]!()] : [])];
    const texts = (await Promise.all(parts)).map((part) => part.default);
    const same = this.language === wanted;
    this.#texts = Object.assign({}, same ? this.#texts : {}, ...texts) as Catalogue;
    this.#rules = new Intl.PluralRules(wanted);
    this.language = wanted;
    document.documentElement.lang = wanted;
  }

  /** Rules and lessons are loaded when somebody wants to read them. */
  readonly loadLong = () => this.load(this.language, { withLong: true });

  has(key: string): key is Key {
    return key in this.#texts;
  }

  /** A text, with `{name}` filled in. One that counts takes its form from `n`. */
  text(key: Key, fill: Fill = {}): string {
    const found = this.#texts[key];
    if (found === undefined) return '';
    const text =
      typeof found === 'string'
        ? found
        : (found[this.#rules.select(Number(fill['n'] ?? 0))] ?? found['other'] ?? '');
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ''));
  }
}

export const words = new Words();

/** `t('page.lay', { n: 3 })`: "Lay 3 tiles". */
export const t = (key: Key, fill?: Fill): string => words.text(key, fill);
