/** The component of each kind of page, loaded on demand. */

import type { Component } from 'svelte';
import Home from './pages/Home.svelte';
import type { Route, RouteOf } from './router.svelte';

type LoadPage<Page extends Route['page']> = () => Promise<{
  default: Component<{ route: RouteOf<Page> }> | Component<Record<string, never>>;
}>;

const PAGES: { readonly [Page in Route['page']]: LoadPage<Page> } = {
  // The first page comes with the shell.
  home: () => Promise.resolve({ default: Home }),
  table: () => import('./pages/Table.svelte'),
  screen: () => import('./pages/Television.svelte'),
  circle: () => import('./pages/Circle.svelte'),
  replay: () => import('./pages/Replay.svelte'),
  learn: () => import('./pages/Learn.svelte'),
  practice: () => import('./pages/Practice.svelte'),
  daily: () => import('./pages/Daily.svelte'),
  rules: () => import('./pages/Rules.svelte'),
  settings: () => import('./pages/Settings.svelte'),
  mine: () => import('./pages/MyTables.svelte'),
  tables: () => import('./pages/ListedTables.svelte'),
  companion: () => import('./pages/Companion.svelte'),
  missing: () => import('./pages/NotFound.svelte'),
};

export const loadPage = async ({ page }: Route): Promise<Component<{ route: Route }>> =>
  (await PAGES[page]()).default as Component<{ route: Route }>;
