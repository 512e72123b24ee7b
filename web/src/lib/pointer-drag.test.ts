// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PointerDrag } from './pointer-drag.svelte';

const target = {
  liftPx: vi.fn(() => 40),
  start: vi.fn(),
  move: vi.fn(),
  drop: vi.fn(),
  tap: vi.fn(),
  end: vi.fn(),
};
beforeEach(() => vi.clearAllMocks());

function pointer(kind: string, x: number, y: number, pointerType = 'touch', id = 1): PointerEvent {
  const event = new Event(kind, { bubbles: true }) as unknown as Record<string, unknown>;
  Object.assign(event, { button: 0, isPrimary: id === 1, pointerId: id, pointerType });
  return Object.assign(event, { clientX: x, clientY: y }) as unknown as PointerEvent;
}

test('a pointer that hardly moves is a tap', () => {
  const drag = new PointerDrag<string>(target);
  drag.grab('tile', pointer('pointerdown', 10, 10));
  dispatchEvent(pointer('pointermove', 13, 12));
  expect(drag.item).toBeNull();
  dispatchEvent(pointer('pointerup', 13, 12));
  expect(target.tap).toHaveBeenCalledExactlyOnceWith('tile');
  expect(target.drop).not.toHaveBeenCalled();
  expect(target.end).toHaveBeenCalledOnce();
});

test('a finger holds the item above itself until it is dropped', () => {
  const drag = new PointerDrag<string>(target);
  drag.grab('tile', pointer('pointerdown', 10, 10));
  dispatchEvent(pointer('pointermove', 60, 90));
  expect(drag.item).toBe('tile');
  expect(target.move).toHaveBeenLastCalledWith('tile', { x: 60, y: 50 });
  dispatchEvent(pointer('pointerup', 60, 90));
  expect(target.drop).toHaveBeenCalledExactlyOnceWith('tile', { x: 60, y: 50 });
  expect(drag.item).toBeNull();
});

test('a drag cancelled by the browser drops nothing', () => {
  const drag = new PointerDrag<string>(target);
  drag.grab('tile', pointer('pointerdown', 10, 10, 'mouse'));
  dispatchEvent(pointer('pointermove', 60, 90, 'mouse'));
  dispatchEvent(pointer('pointercancel', 60, 90, 'mouse'));
  expect(target.move).toHaveBeenLastCalledWith('tile', { x: 60, y: 90 });
  expect(target.drop).not.toHaveBeenCalled();
  expect(target.end).toHaveBeenCalledOnce();
});

/** Whether a click reaches what lies under the pointer. */
function doesClickArrive(): boolean {
  const button = document.body.appendChild(document.createElement('button'));
  const clicked = vi.fn();
  button.addEventListener('click', clicked);
  button.click();
  button.remove();
  return clicked.mock.calls.length > 0;
}

test('an item is held where the pointer took it, and a little higher by a finger', () => {
  const held = { ...target, offset: () => ({ x: -20, y: 5 }) };
  const drag = new PointerDrag<string>(held);
  drag.grab('tile', pointer('pointerdown', 10, 10, 'mouse'));
  dispatchEvent(pointer('pointermove', 60, 90, 'mouse'));
  expect(drag.point).toEqual({ x: 40, y: 95 });
  dispatchEvent(pointer('pointerup', 60, 90, 'mouse'));
  drag.grab('tile', pointer('pointerdown', 10, 10));
  dispatchEvent(pointer('pointermove', 60, 90));
  expect(drag.point).toEqual({ x: 40, y: 55 });
  dispatchEvent(pointer('pointerup', 60, 90));
});

test('the offset may change during a drag', () => {
  let x = 3;
  const drag = new PointerDrag<string>({ ...target, offset: () => ({ x, y: 0 }) });
  drag.grab('tile', pointer('pointerdown', 10, 10, 'mouse'));
  dispatchEvent(pointer('pointermove', 60, 90, 'mouse'));
  x = -7;
  drag.refresh();
  expect(target.move).toHaveBeenLastCalledWith('tile', { x: 53, y: 90 });
  dispatchEvent(pointer('pointerup', 60, 90, 'mouse'));
});

test('the click after a drop or a tap is suppressed, the next one is not', () => {
  const drag = new PointerDrag<string>(target);
  for (const to of [10, 60]) {
    drag.grab('tile', pointer('pointerdown', 10, 10));
    dispatchEvent(pointer('pointermove', to, to));
    dispatchEvent(pointer('pointerup', to, to));
    expect(doesClickArrive()).toBe(false);
    expect(doesClickArrive()).toBe(true);
  }
});

test.each(['pointerdown', 'keydown'])('a click after another %s is not suppressed', (kind) => {
  const drag = new PointerDrag<string>(target);
  drag.grab('tile', pointer('pointerdown', 10, 10));
  dispatchEvent(pointer('pointerup', 10, 10));
  dispatchEvent(pointer(kind, 10, 10));
  expect(doesClickArrive()).toBe(true);
});

test('without a tap handler, taps arrive as clicks', () => {
  const { liftPx, start, move, drop, end } = target;
  const drag = new PointerDrag<string>({ liftPx, start, move, drop, end });
  drag.grab('tile', pointer('pointerdown', 10, 10));
  dispatchEvent(pointer('pointerup', 10, 10));
  expect(doesClickArrive()).toBe(true);
});

describe('a second finger', () => {
  const tapByOtherFinger = vi.fn();
  const press = (x: number, y: number) =>
    document.body.dispatchEvent(pointer('pointerdown', x, y, 'touch', 2));
  const release = (x: number, y: number, kind = 'pointerup') =>
    document.body.dispatchEvent(pointer(kind, x, y, 'touch', 2));
  let drag: PointerDrag<string>;
  beforeEach(() => {
    drag = new PointerDrag<string>({ ...target, tapByOtherFinger });
    drag.grab('tile', pointer('pointerdown', 10, 10));
  });
  afterEach(() => dispatchEvent(pointer('pointercancel', 0, 0)));

  test('taps on something while an item is in the air', () => {
    dispatchEvent(pointer('pointermove', 60, 90));
    target.move.mockClear();
    press(200, 300);
    release(203, 301);
    expect(tapByOtherFinger).toHaveBeenCalledExactlyOnceWith('tile', document.body);
    expect(target.move).toHaveBeenCalledExactlyOnceWith('tile', { x: 60, y: 50 });
    expect(drag.item).toBe('tile');
    expect(doesClickArrive()).toBe(false);
  });

  test('that moves or is cancelled is not a tap', () => {
    dispatchEvent(pointer('pointermove', 60, 90));
    press(200, 300);
    release(240, 300);
    press(200, 300);
    release(200, 300, 'pointercancel');
    expect(tapByOtherFinger).not.toHaveBeenCalled();
  });

  test('is ignored before the item is in the air', () => {
    press(200, 300);
    release(200, 300);
    expect(tapByOtherFinger).not.toHaveBeenCalled();
  });
});
