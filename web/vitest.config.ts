import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

// Apart from Vite's own: building the page takes no Vitest, so `make play` installs none.
export default mergeConfig(
  vite,
  defineConfig({
    test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
    // Svelte would be taken for the server's otherwise.
    resolve: { conditions: ['browser'] },
  }),
);
