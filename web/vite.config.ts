import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { cataloguesPlugin } from './catalogues.ts';
import { chunkGroups } from './chunks.ts';
import { preloadsPlugin } from './preloads.ts';
import { compileProgressPlugin } from './compile-progress.ts';
import { serviceWorkerPlugin } from './build-service-worker.ts';

export default defineConfig({
  plugins: [
    cataloguesPlugin(),
    svelte(),
    serviceWorkerPlugin(),
    preloadsPlugin(),
    compileProgressPlugin(),
  ],
  // The server writes the path at which a proxy shows it into index.html.
  base: './',
  build: {
    outDir: '../src/pytlik/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // No data: URLs: the server's content policy forbids them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server preloads the texts of a visitor's language: it finds the file by its name.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: ({ facadeModuleId }) => {
          const texts = /virtual:([a-z-]*texts)\/\w+$/.exec(facadeModuleId ?? '')?.[1];
          return texts ? `assets/${texts}-[name]-[hash].js` : 'assets/[name]-[hash].js';
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:8000', ws: true },
      // The server writes the texts into it.
      '/manifest.webmanifest': 'http://127.0.0.1:8000',
    },
  },
});
