// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusedError } from '../connection/api';
import { translations } from './i18n.svelte';
import { errorText, toasts } from './toasts.svelte';

beforeEach(async () => {
  await translations.load('en');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const texts = () => toasts.shown.map(({ text }) => text);

test('toasts disappear by themselves, and at most three are shown', () => {
  toasts.show('one');
  vi.advanceTimersByTime(2000);
  toasts.show('two');
  vi.advanceTimersByTime(2900);
  expect(texts()).toEqual(['one', 'two']);
  vi.advanceTimersByTime(200);
  expect(texts()).toEqual(['two']);
  for (const text of ['three', 'four', 'five']) toasts.show(text);
  expect(texts()).toEqual(['three', 'four', 'five']);
});

test('dismissing a toast leaves the others', () => {
  toasts.show('one');
  toasts.show('two');
  toasts.dismiss(toasts.shown[0]!.id);
  expect(texts()).toEqual(['two']);
});

test('a refusal is explained by its reason, anything else as an internal error', () => {
  const unknown = errorText(new Error('no such element'));
  expect(errorText(new RefusedError('offline'))).not.toBe(unknown);
  expect(errorText(new RefusedError('not_your_seat'))).not.toBe(unknown);
  expect(errorText(new RefusedError('of the future' as 'internal'))).toBe(unknown);
  expect(unknown).not.toBe('');
});
