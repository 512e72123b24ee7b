/** The icon of the tab. */

import { basePath } from './navigation';

/** Put a dot on the icon. Returns a function that takes it off again. */
export function markTabIcon(): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return () => undefined;
  const { href } = link;
  link.href = `${basePath}/icon-turn.svg`;
  return () => (link.href = href);
}
