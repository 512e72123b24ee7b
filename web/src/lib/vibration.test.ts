import { beforeEach, expect, test, vi } from 'vitest';
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
  vi.stubGlobal('matchMedia', () => ({ matches: touch }));
  make();
});

test('a phone vibrates', () => {
  expect(canVibrate()).toBe(true);
  vibrate();
  expect(vibrated).toHaveBeenCalledOnce();
});

test('a desktop does not, whatever its browser says', () => {
  touch = false;
  expect(canVibrate()).toBe(false);
  vibrate();
  expect(vibrated).not.toHaveBeenCalled();
});

test('nor does a page that nobody has touched', () => {
  make({ active: false });
  vibrate();
  expect(vibrated).not.toHaveBeenCalled();
});
