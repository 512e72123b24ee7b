// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from './settings.svelte';
import { canVibrate, vibrate } from './vibration';

const vibrated = vi.fn();
let touch = true;

function stubNavigator({ active = true } = {}): void {
  Object.defineProperties(navigator, {
    vibrate: { configurable: true, value: vibrated },
    userActivation: { configurable: true, value: { hasBeenActive: active } },
  });
}

beforeEach(() => {
  vibrated.mockClear();
  touch = true;
  settings.set('vibration', true);
  vi.stubGlobal('matchMedia', () => ({ matches: touch }));
  stubNavigator();
});

test('a phone vibrates', () => {
  expect(canVibrate()).toBe(true);
  vibrate(200);
  expect(vibrated).toHaveBeenCalledExactlyOnceWith(200);
});

test('a desktop does not vibrate, whatever its browser claims', () => {
  touch = false;
  expect(canVibrate()).toBe(false);
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});

test('an untouched page does not vibrate', () => {
  stubNavigator({ active: false });
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});

test('a phone does not vibrate if that is turned off', () => {
  settings.set('vibration', false);
  expect(canVibrate()).toBe(true);
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});
