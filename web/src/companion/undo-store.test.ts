// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { UndoStore } from './undo-store.svelte';

beforeEach(() => localStorage.clear());
const open = () => new UndoStore<number>('test');

test('the state and its undo steps survive a reload', () => {
  const first = open();
  first.advance(1);
  first.advance(2);
  const reloaded = open();
  expect(reloaded.current).toBe(2);
  reloaded.undo();
  expect(reloaded.current).toBe(1);
  expect(open().current).toBe(1);
});

test('starting over can be undone', () => {
  const store = open();
  store.advance(7);
  store.advance(null);
  expect(open().current).toBeNull();
  store.undo();
  expect(store.current).toBe(7);
});

test('replacing the state adds no undo step', () => {
  const store = open();
  store.advance(1);
  store.replace(2);
  store.advance(3);
  store.undo();
  expect(store.current).toBe(2);
  store.undo();
  expect(store.current).toBeNull();
  expect(store.canUndo).toBe(false);
});

test('data of another version is ignored', () => {
  localStorage.setItem('pytlik.companion.test', '{"form":0,"now":5,"before":[4]}');
  expect(open().current).toBeNull();
  expect(open().canUndo).toBe(false);
});

test('a step that changes nothing is not recorded', () => {
  const store = open();
  store.advance(1);
  store.advance(1);
  store.undo();
  expect([store.current, store.canUndo]).toEqual([null, false]);
});

test('the last 120 steps can be undone', () => {
  const store = open();
  for (let step = 1; step <= 130; step++) store.advance(step);
  while (store.canUndo) store.undo();
  expect(store.current).toBe(10);
});

test('undoing can keep part of the current state', () => {
  const store = new UndoStore<number>('test', (before, current) => before + current / 10);
  store.advance(1);
  store.advance(2);
  store.undo();
  expect(store.current).toBe(1.2);
});
