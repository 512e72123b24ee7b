import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';
import { progress } from './progress.ts';
import { shell } from './shell.ts';

export default defineConfig({
  plugins: [catalogues(), svelte(), shell(), progress()],
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
});
