/** The page's texts. One language is loaded at a time; the compiler checks the keys. */

import catalogues from 'virtual:texts';
import languageNames from 'virtual:languages';
import longCatalogues from 'virtual:long-texts';
import type english from '../../../src/pytlik/i18n/en.json';

export type Key = keyof typeof english;
export type Fill = Readonly<Record<string, string | number>>;

/** The code of a language that has a catalogue. */
export type Language = string;

/** Each language's own name, in the order of the menu. */
export const LANGUAGES: Readonly<Record<Language, string>> = languageNames;

/** The first of the browser's languages that has a catalogue; English if none has. */
export function browserLanguage(wanted: readonly string[] = navigator.languages): Language {
  const codes = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code) => code in catalogues) ?? 'en';
}

/** Set the language of the document, and of the manifest for installing the page. */
function setDocumentLanguage(language: Language): void {
  if (document.documentElement.lang === language) return;
  document.documentElement.lang = language;
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (!manifest) return;
  const address = new URL(manifest.href);
  address.searchParams.set('lang', language);
  manifest.href = address.href;
}

class Translations {
  language: Language = $state('en');
  #texts: Catalogue = $state.raw({});
  #plurals = new Intl.PluralRules('en');
  /** Words of one letter that may not end a line. */
  #singleLetters: RegExp | null = null;
  /** Whether the long texts have been requested; then they come with every language. */
  #wantsLongTexts = false;
  /** The language that was requested last; it may not be loaded yet. */
  #wanted: Language = 'en';
  #loads = 0;
  #loading: Promise<void> = Promise.resolve();

  async load(language: Language): Promise<void> {
    this.#wanted = language in catalogues ? language : 'en';
    await this.#loadWanted();
  }

  /** Load the texts of rules and lessons. */
  async loadLongTexts(): Promise<void> {
    this.#wantsLongTexts = true;
    await this.#loadWanted();
  }

  /** Resolves once everything requested is loaded, including what others request meanwhile. */
  async #loadWanted(): Promise<void> {
    let loading = (this.#loading = this.#loadTexts(++this.#loads));
    await loading;
    while (loading !== this.#loading) await (loading = this.#loading);
  }

  async #loadTexts(number: number): Promise<void> {
    const wanted = this.#wanted;
    const parts = [
      catalogues[wanted]!(),
      ...(this.#wantsLongTexts ? [longCatalogues[wanted]!()] : []),
    ];
    let texts: Catalogue[];
    try {
      texts = (await Promise.all(parts)).map((part) => part.default);
    } catch (error) {
      if (number === this.#loads) this.#wanted = this.language;
      throw error;
    }
    if (number !== this.#loads) return; // something else has been requested since
    // Most pages have only one part, which needn't be copied.
    this.#texts = texts.length === 1 ? texts[0]! : (Object.assign({}, ...texts) as Catalogue);
    this.#plurals = new Intl.PluralRules(wanted);
    const letters = this.#texts['language.single_letters'];
    this.#singleLetters = letters
      ? new RegExp(`^[^\\p{L}\\p{N}]*[${String(letters)}]$`, 'iu')
      : null;
    this.language = wanted;
    setDocumentLanguage(wanted);
  }

  /** The language with its country, as `Intl` wants it. */
  get locale(): string {
    return this.text('language.locale') || this.language;
  }

  /** Put a no-break space after words of one letter, which may not end a line in some languages. */
  addNoBreakSpaces(text: string): string {
    const single = this.#singleLetters;
    // Without a lookbehind in the pattern, which Safari has only had since 2023.
    return single
      ? text.replace(/(\S+) (?=\S)/g, (pair, word: string) =>
          single.test(word) ? `${word}\u00a0` : pair,
        )
      : text;
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
    return this.addNoBreakSpaces(text).replace(/\{(\w+)\}/g, (_, name: string) => {
      // eslint-disable-next-line no-console -- the page tests fail if the console warns
      if (fill[name] === undefined) console.warn(`${key} needs ${name}`);
      return String(fill[name] ?? '');
    });
  }
}

export const translations = new Translations();

/** `t('page.lay', { n: 3 })`: "Lay 3 tiles". */
export const t = (key: Key, fill?: Fill): string => translations.text(key, fill);
