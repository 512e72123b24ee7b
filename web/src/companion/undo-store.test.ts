// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { UndoStore } from './undo-store.svelte';

beforeEach(() => localStorage.clear());
const open = () => new UndoStore<number>('test');

test('what was done is there again after a reload, and can still be taken back', () => {
  const first = open();
  first.do(1);
  first.do(2);
  const again = open();
  expect(again.now).toBe(2);
  again.back();
  expect(again.now).toBe(1);
  expect(open().now).toBe(1);
});

test('starting anew can be taken back', () => {
  const kept = open();
  kept.do(7);
  kept.do(null);
  expect(open().now).toBeNull();
  kept.back();
  expect(kept.now).toBe(7);
});

test('what is no step of its own is not gone back to', () => {
  const kept = open();
  kept.do(1);
  kept.replace(2);
  kept.do(3);
  kept.back();
  expect(kept.now).toBe(2);
  kept.back();
  expect(kept.now).toBeNull();
  expect(kept.canGoBack).toBe(false);
});

test('what another page has kept in another form is left alone', () => {
  localStorage.setItem('pytlik.companion.test', '{"form":0,"now":5,"before":[4]}');
  expect(open().now).toBeNull();
  expect(open().canGoBack).toBe(false);
});
