// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepScreenOn } from './wake-lock';

/** How many locks are held. */
let held = 0;
let visibility = 'visible';
const settle = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  [held, visibility] = [0, 'visible'];
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility as 'visible');
  const request = () => {
    held += 1;
    return Promise.resolve({ release: () => Promise.resolve(void (held -= 1)) });
  };
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the lock is held until it is released', async () => {
  const stop = keepScreenOn();
  await settle();
  expect(held).toBe(1);
  stop();
  expect(held).toBe(0);
});

test('a lock that is granted too late is released at once', async () => {
  keepScreenOn()();
  await settle();
  expect(held).toBe(0);
});

test('the lock is requested again when the page becomes visible', async () => {
  visibility = 'hidden';
  const stop = keepScreenOn();
  await settle();
  expect(held).toBe(0);
  visibility = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(held).toBe(1);
  stop();
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(held).toBe(0);
});
