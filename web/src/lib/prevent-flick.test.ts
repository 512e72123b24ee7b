// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { preventFlick } from './prevent-flick';

test('movements of fingers are the page’s own, until it lets go', () => {
  const node = document.createElement('div');
  const moved = (cancelable = true) => {
    const move = new Event('touchmove', { bubbles: true, cancelable });
    node.dispatchEvent(move);
    return move.defaultPrevented;
  };
  const stop = preventFlick(node);
  expect(moved()).toBe(true);
  // Once the browser scrolls, it says that it can't be stopped, and complains about who tries.
  expect(moved(false)).toBe(false);
  stop();
  expect(moved()).toBe(false);
});
