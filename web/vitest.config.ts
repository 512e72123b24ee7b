import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

// Apart from Vite's own: building the page takes no Vitest, so `make play` installs none.
export default mergeConfig(
  vite,
  defineConfig({
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
    resolve: { conditions: ['browser'] },
  }),
);
