import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules/', '../src/'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      'no-console': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // What is only looked up, and never shown, need not be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
      // Our links go through the router, which knows the base path.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
);
