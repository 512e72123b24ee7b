import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { catalogues } from './catalogues.ts';
import { shell } from './shell.ts';

export default defineConfig({
  plugins: [catalogues(), svelte(), shell()],
  // Wherever a proxy shows the server: the server writes its own path into index.html.
  base: './',
  build: {
    outDir: '../src/pytlik/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // No data: URLs: the server's content policy is strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server knows a visitor's language, and which file has it: so it can be asked for early.
    rolldownOptions: {
      output: {
        chunkFileNames: ({ facadeModuleId }) => {
          const texts = /virtual:([a-z-]*texts)\/\w+$/.exec(facadeModuleId ?? '')?.[1];
          return texts ? `assets/${texts}-[name]-[hash].js` : 'assets/[name]-[hash].js';
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  test: {
    environment: 'happy-dom',
    // A DOM for each worker, not for each file: making one takes longer than most tests.
    pool: 'vmThreads',
    include: ['src/**/*.test.ts'],
    // No test waits for anything; a busy machine may let one stand still for a while.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
  // Svelte would be taken for the server's otherwise.
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
});
