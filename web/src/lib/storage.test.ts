// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { storage } from './storage';

afterEach(() => vi.unstubAllGlobals());

test('stored values are read back, including null', () => {
  storage.set('some', { at: 1 });
  expect(storage.get('some', null)).toEqual({ at: 1 });
  storage.set('some', null);
  expect(storage.get('some', 7)).toBeNull();
});

test('missing or damaged values give the fallback', () => {
  localStorage.setItem('pytlik.damaged', '{"at":');
  expect(storage.get('damaged', 7)).toBe(7);
  expect(storage.get('missing', 7)).toBe(7);
});

test('a browser that refuses to store anything causes no errors', () => {
  const refuse = () => {
    throw new DOMException('', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  expect(() => storage.set('some', 1)).not.toThrow();
  expect(storage.get('some', 7)).toBe(7);
});
