// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announcer } from './announcer.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('sentences that follow each other quickly are announced together', () => {
  announcer.say('One.');
  announcer.say('Two.');
  vi.runAllTimers();
  expect(announcer.text).toBe('One. Two.');
});

test('a repeated sentence changes the live region, so that it is read again', () => {
  announcer.say('It doesn’t fit.');
  vi.runAllTimers();
  const first = announcer.text;
  announcer.say('It doesn’t fit.');
  vi.runAllTimers();
  expect(announcer.text).not.toBe(first);
  expect(announcer.text.trim()).toBe(first);
});
