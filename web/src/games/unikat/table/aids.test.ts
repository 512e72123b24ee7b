// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { storage } from '../../../lib/storage';
import { Aids } from './aids.svelte';

beforeEach(() => localStorage.clear());

test('choices stay after a reload', () => {
  const before = new Aids();
  before.switch('corners', true);
  before.setOrder('shape');
  const after = new Aids();
  expect([after.isOn('corners'), after.isOn('hint'), after.order]).toEqual([true, false, 'shape']);
});

test('an aid that was unknown when the choices were stored has its default', () => {
  storage.set('unikat', { on: { places: false } });
  const aids = new Aids();
  expect([aids.isOn('places'), aids.isOn('seen')]).toEqual([false, true]);
});
