// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { UndoStore } from './undo-store.svelte';

beforeEach(() => localStorage.clear());
const open = () => new UndoStore<number>('test');

test('what was done is there again after a reload, and can still be taken back', () => {
  const first = open();
  first.advance(1);
  first.advance(2);
  const again = open();
  expect(again.current).toBe(2);
  again.undo();
  expect(again.current).toBe(1);
  expect(open().current).toBe(1);
});

test('starting anew can be taken back', () => {
  const kept = open();
  kept.advance(7);
  kept.advance(null);
  expect(open().current).toBeNull();
  kept.undo();
  expect(kept.current).toBe(7);
});

test('what is no step of its own is not gone back to', () => {
  const kept = open();
  kept.advance(1);
  kept.replace(2);
  kept.advance(3);
  kept.undo();
  expect(kept.current).toBe(2);
  kept.undo();
  expect(kept.current).toBeNull();
  expect(kept.canUndo).toBe(false);
});

test('what another page has kept in another form is left alone', () => {
  localStorage.setItem('pytlik.companion.test', '{"form":0,"now":5,"before":[4]}');
  expect(open().current).toBeNull();
  expect(open().canUndo).toBe(false);
});

test('a step that changes nothing is none', () => {
  const kept = open();
  kept.advance(1);
  kept.advance(1);
  kept.undo();
  expect([kept.current, kept.canUndo]).toEqual([null, false]);
});

test('many steps are kept, and the first of too many is forgotten', () => {
  const kept = open();
  for (let step = 1; step <= 130; step++) kept.advance(step);
  while (kept.canUndo) kept.undo();
  expect(kept.current).toBe(10);
});

test('what goes on meanwhile is told to whoever undoes a step', () => {
  const kept = new UndoStore<number>('test', (before, current) => before + current / 10);
  kept.advance(1);
  kept.advance(2);
  kept.undo();
  expect(kept.current).toBe(1.2);
});
