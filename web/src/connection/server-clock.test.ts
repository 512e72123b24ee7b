import { expect, test } from 'vitest';
import { secondsUntil } from './server-clock';

test('a slightly wrong clock never shows an extra second', () => {
  const at = 1_000_000;
  expect(secondsUntil(at, at - 600_000)).toBe(600);
  expect(secondsUntil(at, at - 600_040)).toBe(600);
  expect(secondsUntil(at, at - 599_960)).toBe(600);
  expect(secondsUntil(at, at - 1_010)).toBe(1);
  expect(secondsUntil(at, at)).toBe(0);
  expect(secondsUntil(at, at + 5_000)).toBe(0);
});
