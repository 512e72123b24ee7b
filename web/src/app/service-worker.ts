/** The worker that keeps the shell, so that the page can be installed and opens at once. */

import { base } from './router.svelte';

export function install(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // When everything else is there: it has time.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(`${base}/sw.js`, { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    active?.postMessage({ keep: loaded.filter((name) => name.includes('/assets/')) });
  } catch {
    // Private windows, and addresses without https: the page works without it.
  }
}
