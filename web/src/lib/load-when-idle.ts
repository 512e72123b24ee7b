/** Load something that will be needed later, once the browser has nothing better to do. */
export function loadWhenIdle(load: () => unknown): void {
  // If it fails, it's loaded again when it's needed.
  const start = () => void Promise.resolve(load()).catch(() => undefined);
  if (typeof requestIdleCallback === 'function') requestIdleCallback(start);
  else setTimeout(start, 2000);
}
