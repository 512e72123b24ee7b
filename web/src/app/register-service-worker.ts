/**
 * Registers the worker that keeps the shell, so that the page can be installed and opened offline.
 */

import { basePath } from '../lib/navigation';

/** Long enough for a table to load first. */
const REGISTRATION_DELAY_MS = 5000;

export function installServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const later = () => setTimeout(() => void registerServiceWorker(), REGISTRATION_DELAY_MS);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}

async function registerServiceWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register(`${basePath}/sw.js`, { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    active?.postMessage({ keep: loaded.filter((name) => name.includes('/assets/')) });
  } catch {
    // Private windows and addresses without https don't allow it; the page works without.
  }
}
