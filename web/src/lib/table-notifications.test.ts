// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { dismissTableNotification } from './table-notifications';

let shown: { tag: string; close: () => void }[] = [];
let badge: number | null = null;

beforeEach(() => {
  badge = 2;
  shown = ['one', 'two', 'three'].map((tag) => ({
    tag,
    close: () => (shown = shown.filter((each) => each.tag !== tag)),
  }));
  Object.defineProperties(navigator, {
    serviceWorker: {
      configurable: true,
      value: {
        getRegistration: () => Promise.resolve({ getNotifications: () => Promise.resolve(shown) }),
      },
    },
    setAppBadge: { configurable: true, value: (n: number) => Promise.resolve((badge = n)) },
    clearAppBadge: { configurable: true, value: () => Promise.resolve((badge = null)) },
  });
});

test('the badge counts the tables that are still waiting', async () => {
  await dismissTableNotification('two');
  expect([shown.map(({ tag }) => tag), badge]).toEqual([['one', 'three'], 2]);
  await dismissTableNotification('one');
  expect(badge).toBe(1);
  await dismissTableNotification('three');
  expect([shown, badge]).toEqual([[], null]);
});

test('a table without a notification changes nothing', async () => {
  badge = 7;
  await dismissTableNotification('other');
  expect([shown.length, badge]).toEqual([3, 7]);
});

test('a browser without service workers is left alone', async () => {
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: undefined });
  await expect(dismissTableNotification('one')).resolves.toBeUndefined();
  vi.unstubAllGlobals();
});
