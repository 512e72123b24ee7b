// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from './settings.svelte';
import { canVibrate, vibrate } from './vibration';

const vibrated = vi.fn();
let touch = true;

function make({ active = true } = {}): void {
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
  make();
});

test('a phone vibrates', () => {
  expect(canVibrate()).toBe(true);
  vibrate(200);
  expect(vibrated).toHaveBeenCalledExactlyOnceWith(200);
});

test('a desktop does not, whatever its browser says', () => {
  touch = false;
  expect(canVibrate()).toBe(false);
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});

test('nor does a page that nobody has touched', () => {
  make({ active: false });
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});

test('nor does the phone of somebody who does not want it', () => {
  settings.set('vibration', false);
  expect(canVibrate()).toBe(true);
  vibrate(200);
  expect(vibrated).not.toHaveBeenCalled();
});
