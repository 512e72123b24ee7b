import type { Plugin } from 'vite';

const OUR_MODULES = /\/web\/src\/.*\.(svelte|ts)$/;

/** Prints each of our modules once it's compiled; tools/page_builder.py turns that into a bar. */
export function compileProgressPlugin(): Plugin {
  return {
    name: 'pytlik-progress',
    apply: () => 'PYTLIK_PROGRESS' in process.env,
    enforce: 'post',
    transform(_, id) {
      if (OUR_MODULES.test(id)) process.stdout.write(`transformed ${id}\n`);
    },
  };
}
