/** Values kept in this browser. In a private window that stores nothing the page still works. */

const KEY_PREFIX = 'pytlik.';

export const storage = {
  get<T>(key: string, fallback: T): T {
    try {
      const text = localStorage.getItem(KEY_PREFIX + key);
      return text === null ? fallback : (JSON.parse(text) as T);
    } catch {
      return fallback;
    }
  },

  set(key: string, value: unknown): void {
    try {
      localStorage.setItem(KEY_PREFIX + key, JSON.stringify(value));
    } catch {
      // Full or forbidden: the value lasts as long as the page does.
    }
  },
};
