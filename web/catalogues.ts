import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The page's part of the catalogues that it shares with Python. A person reads one language, and
 * mostly neither rules nor lessons, so each of these is a file of its own.
 *
 *     virtual:languages    { en: "English", ... }, each by its own name
 *     virtual:texts        { en: () => import("virtual:texts/en"), ... }
 *     virtual:long-texts   the same for rules and lessons
 */
const CATALOGUE_FOLDER = fileURLToPath(new URL('../src/pytlik/i18n/', import.meta.url));
const LONG_TEXT_KEYS = /^page\.(rules|lesson)\./;
const PAGE_TEXT_KEYS = /^(page\.|reason\.|language\.(locale|percent|single_letters|skin)$)/;
const VIRTUAL_PREFIX = '\0virtual:';

const languages = () =>
  readdirSync(CATALOGUE_FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
    .sort();

const cataloguePath = (lang: string): string => `${CATALOGUE_FOLDER}${lang}.json`;

const readCatalogue = (lang: string) =>
  JSON.parse(readFileSync(cataloguePath(lang), 'utf-8')) as Record<string, string | object>;

/** In the order of the menu: alphabetical, Latin letters first. */
const languageNames = () =>
  Object.fromEntries(
    languages()
      .map((lang) => [lang, String(readCatalogue(lang)['language.name'])] as const)
      .sort(([, one], [, other]) => one.localeCompare(other, 'en')),
  );

export function cataloguesPlugin(): Plugin {
  return {
    name: 'pytlik-catalogues',
    resolveId: (id) =>
      /^virtual:(languages|(long-)?texts)/.test(id) ? id.replace('virtual:', VIRTUAL_PREFIX) : null,
    load(id) {
      if (!id.startsWith(VIRTUAL_PREFIX)) return null;
      const [kind, lang] = id.slice(VIRTUAL_PREFIX.length).split('/');
      if (kind === 'languages') return `export default ${JSON.stringify(languageNames())};`;
      if (!lang) {
        const lines = languages().map((each) => `${each}: () => import("virtual:${kind}/${each}")`);
        return `export default { ${lines.join(', ')} };`;
      }
      this.addWatchFile(cataloguePath(lang));
      const texts = Object.entries(readCatalogue(lang)).filter(
        ([key]) => PAGE_TEXT_KEYS.test(key) && LONG_TEXT_KEYS.test(key) === (kind === 'long-texts'),
      );
      // Parsing JSON is faster than parsing script.
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(texts)));
      return `export default JSON.parse(${json});`;
    },
  };
}
