import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The page's part of the catalogues that it shares with Python. A person reads one language, and
 * mostly neither rules nor lessons, so each of these is a file of its own.
 *
 *     virtual:texts        { en: () => import("virtual:texts/en"), ... }
 *     virtual:long-texts   the same for rules and lessons
 */
const FOLDER = fileURLToPath(new URL('../src/pytlik/i18n/', import.meta.url));
const LONG = /^page\.(rules|lesson)\./;
const OURS = /^(page|reason)\./;
const PREFIX = '\0virtual:';

const languages = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
    .sort();

export function catalogues(): Plugin {
  return {
    name: 'pytlik-catalogues',
    resolveId: (id) => (/^virtual:(long-)?texts/.test(id) ? id.replace('virtual:', PREFIX) : null),
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const [kind, lang] = id.slice(PREFIX.length).split('/');
      if (!lang) {
        const lines = languages().map((each) => `${each}: () => import("virtual:${kind}/${each}")`);
        return `export default { ${lines.join(', ')} };`;
      }
      const file = `${FOLDER}${lang}.json`;
      this.addWatchFile(file);
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf-8')) as object).filter(
        ([key]) => OURS.test(key) && LONG.test(key) === (kind === 'long-texts'),
      );
      // Parsing JSON is faster than parsing script.
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(texts)));
      return `export default JSON.parse(${json});`;
    },
  };
}
