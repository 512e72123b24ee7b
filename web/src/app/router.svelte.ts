/** Which page the address means. Links are ordinary links; following one doesn't reload. */

import { isGameName } from '../games/registry';
import { basePath, NAVIGATED_EVENT, navigate } from '../lib/navigation';
import type { GameName } from '../lib/wire';

export type Route =
  | { page: 'home' }
  | { page: 'table'; table: string }
  | { page: 'screen'; table: string }
  | { page: 'circle'; circle: string }
  | { page: 'replay'; table: string; match: number }
  | { page: 'learn'; game: GameName }
  | { page: 'practice' }
  | { page: 'daily'; game: GameName }
  | { page: 'rules'; game: GameName }
  | { page: 'settings' }
  | { page: 'mine' }
  | { page: 'tables' }
  | { page: 'companion'; game: GameName | null }
  | { page: 'missing' };

/** The route of one kind of page, for the component that shows it. */
export type RouteOf<Page extends Route['page']> = Extract<Route, { page: Page }>;

export function parseRoute(path: string): Route {
  const [first = '', second, third] = path.replace(/^\/+|\/+$/g, '').split('/');
  switch (first) {
    case '':
      return { page: 'home' };
    case 't':
      if (second) return { page: 'table', table: second };
      break;
    case 'circle':
      if (second) return { page: 'circle', circle: second };
      break;
    case 'screen':
      if (second) return { page: 'screen', table: second };
      break;
    case 'replay':
      if (second) return { page: 'replay', table: second, match: Number(third ?? 1) || 1 };
      break;
    case 'learn':
    case 'daily':
    case 'rules':
      if (isGameName(second)) return { page: first, game: second };
      break;
    case 'companion':
      if (!second) return { page: first, game: null };
      if (isGameName(second)) return { page: first, game: second };
      break;
    case 'practice':
    case 'settings':
    case 'mine':
    case 'tables':
      return { page: first };
  }
  return { page: 'missing' };
}

const currentRoute = (): Route =>
  parseRoute(
    location.pathname.startsWith(basePath) ? location.pathname.slice(basePath.length) : '',
  );

/** The page's own path behind a link; null for anything that the browser should follow itself. */
export function internalPath(link: HTMLAnchorElement): string | null {
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return null;
  if (!link.pathname.startsWith(`${basePath}/`)) return null;
  const path = link.pathname.slice(basePath.length);
  return path.startsWith('/api/') ? null : path + link.search + link.hash;
}

class Router {
  route: Route = $state.raw(currentRoute());

  /** Follow links and the browser's own buttons. Returns a function that stops it. */
  listen(): () => void {
    const listening = new AbortController();
    const { signal } = listening;
    // Going back restores the scroll position; a new page starts at its top.
    addEventListener('popstate', () => (this.route = currentRoute()), { signal });
    addEventListener(
      NAVIGATED_EVENT,
      () => {
        this.route = currentRoute();
        if (!location.hash) scrollTo(0, 0);
      },
      { signal },
    );
    document.addEventListener('click', (event) => this.#followLink(event), { signal });
    return () => listening.abort();
  }

  #followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return;
    const link = event.target.closest('a');
    const path = link && internalPath(link);
    if (!path) return;
    event.preventDefault();
    navigate(path);
  }
}

export const router = new Router();
