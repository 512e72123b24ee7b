/**
 * Load something, and from then on have it at once: an `{#await}` of what is there already draws it in
 * the same frame, and one of a promise draws nothing first.
 */
export function loadOnce<T>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  return () => loaded ?? load().then((found) => (loaded = found));
}
