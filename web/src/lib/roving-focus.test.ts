// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { RovingFocus, nextInRow } from './roving-focus.svelte';

const ROW = ['a', 'b', 'c', 'd', 'e'];

test('arrow keys move through a row wrapped into lines of three', () => {
  const step = (from: string, key: string) => nextInRow(ROW, from, key, { columns: 3 });
  expect(step('a', 'ArrowRight')).toBe('b');
  expect(step('b', 'ArrowDown')).toBe('e');
  expect(step('d', 'ArrowUp')).toBe('a');
  expect(step('a', 'ArrowLeft')).toBeUndefined();
  expect(step('e', 'ArrowRight')).toBeUndefined();
  expect(step('a', 'Enter')).toBeUndefined();
});

test('arrow keys can wrap around the ends of a row', () => {
  expect(nextInRow(ROW, 'a', 'ArrowLeft', { wrap: true })).toBe('e');
  expect(nextInRow(ROW, 'e', 'ArrowDown', { wrap: true })).toBe('a');
});

test('the focus goes to the item, and Tab comes back to it', () => {
  let items = ROW;
  const focus = new RovingFocus<string>({
    items: () => items,
    selector: (item) => `[data-key="${item}"]`,
    next: (from, key) => nextInRow(items, from, key),
  });
  const container = document.createElement('div');
  for (const item of ROW) {
    const button = document.createElement('button');
    button.dataset['key'] = item;
    container.append(button);
  }
  document.body.append(container);
  focus.container(container);
  expect(ROW.map((item) => focus.tabindex(item))).toEqual([0, -1, -1, -1, -1]);
  focus.focus('b');
  expect((document.activeElement as HTMLElement).dataset['key']).toBe('b');
  focus.keydown(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
  expect((document.activeElement as HTMLElement).dataset['key']).toBe('c');
  expect(focus.tabindex('c')).toBe(0);
  items = ['a', 'b'];
  expect(focus.current).toBe('b');
  container.remove();
});
