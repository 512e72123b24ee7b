import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { BREAKPOINTS } from './breakpoints.js';

/** Replace the names of media queries. */
const namedBreakpoints = {
  name: 'named-breakpoints',
  style: ({ content, filename }) => ({
    code: content.replace(/\(--([a-z-]+)\)(?=[^{};]*\{)/g, (_, name) => {
      if (!(name in BREAKPOINTS)) throw new Error(`${filename}: no breakpoint called ${name}`);
      return BREAKPOINTS[name];
    }),
  }),
};

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  preprocess: [vitePreprocess(), namedBreakpoints],
  compilerOptions: { runes: true },
};
