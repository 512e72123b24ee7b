/** Addresses of the page, and how to get there. Works behind any proxy path. */

/** The path that a proxy shows the server at; the server writes it into index.html. */
export const basePath: string = document.documentElement.dataset['base'] ?? '';

/** The address of a page for a link. */
export const href = (path: string): string => `${basePath}${path}`;

/** The address of a page to give to others. */
export const absoluteUrl = (path: string): string => new URL(href(path), location.href).href;

export const NAVIGATED_EVENT = 'pytlik-navigated';

/** Show another page without loading the document again. */
export function navigate(path: string): void {
  history.pushState(null, '', href(path));
  dispatchEvent(new Event(NAVIGATED_EVENT));
}
