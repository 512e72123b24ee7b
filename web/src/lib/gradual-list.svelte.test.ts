// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GradualList } from './gradual-list.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a long list appears piece by piece, and later additions at once', () => {
  let items = $state.raw(['a', 'b', 'c', 'd', 'e']);
  let list!: GradualList<string>;
  const stop = $effect.root(() => {
    list = new GradualList(() => items, 2);
  });
  const nextTask = () => {
    flushSync();
    vi.advanceTimersToNextTimer();
    flushSync();
    return list.shown.join('');
  };
  expect(list.shown.join('')).toBe('ab');
  expect(nextTask()).toBe('abcd');
  expect(nextTask()).toBe('abcde');
  expect(nextTask()).toBe('abcde');
  items = [...'abcdefgh'];
  expect(list.shown.join('')).toBe('abcdefgh');
  expect(vi.getTimerCount()).toBe(0);
  stop();
});
