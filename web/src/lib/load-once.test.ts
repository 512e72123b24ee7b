import { expect, test, vi } from 'vitest';
import { loadOnce } from './load-once';

test('a loaded value is returned at once', async () => {
  const load = vi.fn(() => Promise.resolve({ found: true }));
  const get = loadOnce(load);
  expect(get()).toBeInstanceOf(Promise);
  await get();
  load.mockClear();
  expect(get()).toEqual({ found: true });
  expect(load).not.toHaveBeenCalled();
});

test('a failed load is retried', async () => {
  const load = vi.fn(() => Promise.resolve(7)).mockRejectedValueOnce(new Error('offline'));
  const get = loadOnce<number>(load);
  await expect(get()).rejects.toThrow('offline');
  await expect(get()).resolves.toBe(7);
});
