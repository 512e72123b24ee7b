import type { Plugin } from 'vite';

const OURS = /\/web\/src\/.*\.(svelte|ts)$/;

/** Prints each of our modules once it's compiled; tools/page.py draws a progress bar from that. */
export function progress(): Plugin {
  return {
    name: 'pytlik-progress',
    apply: () => 'PYTLIK_PROGRESS' in process.env,
    enforce: 'post',
    transform(_, id) {
      if (OURS.test(id)) process.stdout.write(`transformed ${id}\n`);
    },
  };
}
