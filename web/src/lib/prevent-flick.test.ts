// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { preventFlick } from './prevent-flick';

test('touch movements are prevented until it is removed', () => {
  const node = document.createElement('div');
  const moved = (cancelable = true) => {
    const move = new Event('touchmove', { bubbles: true, cancelable });
    node.dispatchEvent(move);
    return move.defaultPrevented;
  };
  const stop = preventFlick(node);
  expect(moved()).toBe(true);
  // Once the browser scrolls, the event can't be cancelled, and browsers warn about an attempt.
  expect(moved(false)).toBe(false);
  stop();
  expect(moved()).toBe(false);
});
