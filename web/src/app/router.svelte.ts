/** Which page is shown, by the address. Links are ordinary links; clicks on them don't reload. */

export const base: string = document.documentElement.dataset['base'] ?? '';

export type Route =
  | { page: 'first' }
  | { page: 'table'; table: string }
  | { page: 'screen'; table: string }
  | { page: 'replay'; table: string; match: number }
  | { page: 'learn'; game: Game }
  | { page: 'practice' }
  | { page: 'daily'; game: Game }
  | { page: 'rules'; game: Game }
  | { page: 'settings' }
  | { page: 'mine' }
  | { page: 'tables' }
  | { page: 'companion'; game: Game | null }
  | { page: 'missing' };

export type Game = 'unikat' | 'ubongo';

const isGame = (text: string | undefined): text is Game => text === 'unikat' || text === 'ubongo';

export function parse(path: string): Route {
  const [first = '', second, third] = path.replace(/^\/+|\/+$/g, '').split('/');
  switch (first) {
    case '':
      return { page: 'first' };
    case 't':
      if (second) return { page: 'table', table: second };
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
      if (isGame(second)) return { page: first, game: second };
      break;
    case 'companion':
      if (!second) return { page: first, game: null };
      if (isGame(second)) return { page: first, game: second };
      break;
    case 'practice':
    case 'settings':
    case 'mine':
    case 'tables':
      return { page: first };
  }
  return { page: 'missing' };
}

/** The address of a page as the browser needs it, behind whatever proxy. */
export const href = (path: string): string => `${base}${path}`;

/** The address of a page to give to others. */
export const absolute = (path: string): string => new URL(href(path), location.href).href;

const here = (): Route =>
  parse(location.pathname.startsWith(base) ? location.pathname.slice(base.length) : '');

class Router {
  route: Route = $state.raw(here());

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', href(path));
    else history.pushState(null, '', href(path));
    this.#show();
  }

  #show(): void {
    this.route = here();
    scrollTo(0, 0);
  }

  listen(): () => void {
    const back = () => this.#show();
    const click = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey) return;
      if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return;
      const link = event.target.closest('a');
      if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
        return;
      if (!link.pathname.startsWith(`${base}/`) || link.pathname.startsWith(`${base}/api/`)) return;
      event.preventDefault();
      this.go(link.pathname.slice(base.length) + link.search);
    };
    addEventListener('popstate', back);
    document.addEventListener('click', click);
    return () => {
      removeEventListener('popstate', back);
      document.removeEventListener('click', click);
    };
  }
}

export const router = new Router();
