/**
 * Load something, and from then on return it directly: an `{#await}` draws a plain value in the
 * same frame, but for a promise it draws nothing at first.
 */
export function loadOnce<T>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  return () => loaded ?? load().then((found) => (loaded = found));
}
