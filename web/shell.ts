import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** Shown when the server can't be reached, or does not need it: so they must be there already. */
const NEEDED = /pages\/(NotFound|Companion)\.svelte$/;

/**
 * Writes the service worker, with the files of the shell and a version that changes with any file of
 * the page.
 */
export function shell(): Plugin {
  return {
    name: 'pytlik-shell',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk');
      const wanted = new Set<string>();
      const want = (chunk: Rolldown.OutputChunk | undefined): void => {
        if (!chunk || wanted.has(chunk.fileName)) return;
        wanted.add(chunk.fileName);
        for (const css of chunk.viteMetadata?.importedCss ?? []) wanted.add(css);
        for (const name of chunk.imports) want(chunks.find(({ fileName }) => fileName === name));
      };
      for (const chunk of chunks)
        if (chunk.isEntry || NEEDED.test(chunk.facadeModuleId ?? '')) want(chunk);
      const worker = readFileSync(new URL('sw.js', import.meta.url), 'utf-8');
      // The names of all others have the hash of their content in them.
      const names = files.map(({ fileName }) => fileName).sort();
      const version = createHash('sha256').update(names.join()).update(worker).digest('hex');
      const source = [
        `const VERSION = ${JSON.stringify(version.slice(0, 12))};`,
        `const SHELL = ${JSON.stringify([...wanted].sort())};`,
        worker,
      ].join('\n');
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}
