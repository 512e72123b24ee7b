import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

// Separate from Vite's config, because `make play` builds the page without installing Vitest.
export default mergeConfig(
  vite,
  defineConfig({
    test: {
      // A test that needs a browser says so in its first line. Creating one takes a while.
      environment: 'node',
      // Not vmThreads, although they start faster: on a busy machine their dynamic imports failed
      // several times ("a dynamic import callback was not specified"). We don't know why.
      pool: 'threads',
      include: ['src/**/*.test.ts'],
      // No test waits for anything, but a busy machine may stall one for a while.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
    // Otherwise Svelte's server build would be used.
    resolve: { conditions: ['browser'] },
  }),
);
