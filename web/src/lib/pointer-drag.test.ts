import { beforeEach, expect, test, vi } from 'vitest';
import { PointerDrag } from './pointer-drag.svelte';

const target = {
  lift: vi.fn(() => 40),
  start: vi.fn(),
  move: vi.fn(),
  drop: vi.fn(),
  tap: vi.fn(),
  end: vi.fn(),
};
beforeEach(() => vi.clearAllMocks());

function pointer(kind: string, x: number, y: number, pointerType = 'touch'): PointerEvent {
  const event = new Event(kind) as unknown as Record<string, unknown>;
  Object.assign(event, { button: 0, isPrimary: true, pointerId: 1, pointerType });
  return Object.assign(event, { clientX: x, clientY: y }) as unknown as PointerEvent;
}

test('a pointer that hardly moves has tapped', () => {
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

test('a drag that the browser takes away drops nothing', () => {
  const drag = new PointerDrag<string>(target);
  drag.grab('tile', pointer('pointerdown', 10, 10, 'mouse'));
  dispatchEvent(pointer('pointermove', 60, 90, 'mouse'));
  dispatchEvent(pointer('pointercancel', 60, 90, 'mouse'));
  expect(target.move).toHaveBeenLastCalledWith('tile', { x: 60, y: 90 });
  expect(target.drop).not.toHaveBeenCalled();
  expect(target.end).toHaveBeenCalledOnce();
});
