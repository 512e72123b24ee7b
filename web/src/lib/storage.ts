/** What lasts in this browser. A browser that stores nothing (private windows) still works. */

export function stored<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`pytlik.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(`pytlik.${key}`, JSON.stringify(value));
  } catch {
    // Full or forbidden: then it lasts as long as the page.
  }
}
