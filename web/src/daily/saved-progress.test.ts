// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { loadProgress, saveProgress } from './saved-progress';

beforeEach(() => localStorage.clear());

test('progress is restored only for the same puzzle', () => {
  saveProgress('ubongo', 4, '2026-11-17', { 7: [[0, 1]] });
  expect(loadProgress('ubongo', 4, '2026-11-17')).toEqual({ 7: [[0, 1]] });
  expect(loadProgress('ubongo', 3, '2026-11-17')).toBeNull();
  expect(loadProgress('unikat', 4, '2026-11-17')).toBeNull();
});

test('another day starts without progress', () => {
  saveProgress('ubongo', 4, '2026-11-16', {});
  expect(loadProgress('ubongo', 4, '2026-11-17')).toBeNull();
});
