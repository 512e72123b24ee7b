// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { loadWork, saveWork } from './saved-work';

beforeEach(() => localStorage.clear());

test('what was put down is found again, for its own puzzle only', () => {
  saveWork('ubongo', 4, '2026-11-17', { 7: [[0, 1]] });
  expect(loadWork('ubongo', 4, '2026-11-17')).toEqual({ 7: [[0, 1]] });
  expect(loadWork('ubongo', 3, '2026-11-17')).toBeNull();
  expect(loadWork('unikat', 4, '2026-11-17')).toBeNull();
});

test('another day starts with nothing', () => {
  saveWork('ubongo', 4, '2026-11-16', {});
  expect(loadWork('ubongo', 4, '2026-11-17')).toBeNull();
});
