import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** Pages that work without the server, so the service worker keeps them from the start. */
const OFFLINE_PAGES = /(pages\/(NotFound|Companion)|\/companion\/Companion)\.svelte$/;

/**
 * Writes the service worker, with a list of the shell's files and a version that changes with any
 * file of the page.
 */
export function serviceWorkerPlugin(): Plugin {
  return {
    name: 'pytlik-shell',
    apply: 'build',
    // Last, because Vite removes an entry that only imports the shell.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const files = Object.values(bundle);
        const chunks = files.filter((file) => file.type === 'chunk');
        const shellFiles = new Set<string>();
        const add = (chunk: Rolldown.OutputChunk | undefined): void => {
          if (!chunk || shellFiles.has(chunk.fileName)) return;
          shellFiles.add(chunk.fileName);
          for (const css of chunk.viteMetadata?.importedCss ?? []) shellFiles.add(css);
          for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
        };
        for (const chunk of chunks)
          if (chunk.isEntry || OFFLINE_PAGES.test(chunk.facadeModuleId ?? '')) add(chunk);
        const worker = readFileSync(new URL('sw.js', import.meta.url), 'utf-8');
        // All file names contain a hash of the file's content.
        const names = files.map(({ fileName }) => fileName).sort();
        const version = createHash('sha256').update(names.join()).update(worker).digest('hex');
        const source = [
          `const VERSION = ${JSON.stringify(version.slice(0, 12))};`,
          `const SHELL = ${JSON.stringify([...shellFiles].sort())};`,
          worker,
        ].join('\n');
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
