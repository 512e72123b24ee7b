// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';

test('switching on reduced motion while the page is open stops all motion', async () => {
  const system = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', () => system);
  vi.resetModules();
  const { settings } = await import('./settings.svelte');
  settings.applyToDocument();
  expect(settings.durationScale).toBe(1);
  expect(document.documentElement.dataset['still']).toBe('false');
  system.dispatchEvent(Object.assign(new Event('change'), { matches: true }));
  expect(settings.durationScale).toBe(0);
  expect(document.documentElement.dataset['still']).toBe('true');
  vi.unstubAllGlobals();
});
