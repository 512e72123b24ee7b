import { readdirSync } from 'node:fs';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const GAMES = readdirSync('src/games', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Forbid imports, static or dynamic, whose path matches a regular expression. */
const forbidImports = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
  'no-restricted-syntax': [
    'error',
    { selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`, message },
  ],
});

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
      // Collections that are only looked up, and never shown, needn't be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
      // Our links go through the router, which knows the base path.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['src/app/**'],
    rules: forbidImports('/games/[^/]+/', 'Shared code reaches a game through games/registry.'),
  },
  {
    files: ['src/**'],
    ignores: ['src/app/**', 'src/games/**'],
    rules: forbidImports(
      '/games/[^/]+/|/app/',
      'Shared code reaches a game through games/registry, and nothing but app/ imports app/.',
    ),
  },
  ...GAMES.map((game) => ({
    files: [`src/games/${game}/**`],
    rules: forbidImports(
      `/(${GAMES.filter((other) => other !== game).join('|')})(/|$)|/registry$|/app/`,
      "Games don't import each other, the registry or app/.",
    ),
  })),
);
