/** Panning, pinching and the wheel over a surface without edges. Anything else is a tap. */

import { preventFlick } from '../../../lib/prevent-flick';
import type { Point } from '../../../lib/pointer-drag.svelte';

export interface Gestures {
  pan(by: Point): void;
  /** Around a point of the element. */
  zoom(factor: number, point: Point): void;
  /** At a point of the window. */
  tap(point: Point): void;
}

/** A finger that moves less than this is a tap. */
const TAP_SLACK_PX = 7;
const ZOOM_PER_WHEEL_PX = 0.0016;

export function listenForGestures(node: HTMLElement, gestures: Gestures): () => void {
  const fingers = new Map<number, Point>();
  let start: Point = { x: 0, y: 0 };
  let moving = false;

  let corner: Point = { x: 0, y: 0 };

  const pointInElement = (event: MouseEvent): Point => ({
    x: event.clientX - corner.x,
    y: event.clientY - corner.y,
  });

  /** Measured once for each gesture, so that moving doesn't make the browser lay out the page. */
  function measureCorner(): void {
    const { left, top } = node.getBoundingClientRect();
    corner = { x: left, y: top };
  }

  function down(event: PointerEvent): void {
    if (event.button > 0 || (event.target as Element).closest('button')) return;
    if (!fingers.size) measureCorner();
    fingers.set(event.pointerId, pointInElement(event));
    if (fingers.size === 1) {
      start = pointInElement(event);
      moving = false;
    }
  }

  function move(event: PointerEvent): void {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = pointInElement(event);
    if (
      !moving &&
      Math.hypot(now.x - start.x, now.y - start.y) < TAP_SLACK_PX &&
      fingers.size === 1
    )
      return;
    if (!moving) {
      moving = true;
      for (const id of fingers.keys()) node.setPointerCapture(id);
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    if (!other) {
      gestures.pan({ x: now.x - before.x, y: now.y - before.y });
      return;
    }
    const distanceToOther = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
    gestures.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    gestures.zoom(distanceToOther(now) / Math.max(distanceToOther(before), 1), {
      x: (now.x + other.x) / 2,
      y: (now.y + other.y) / 2,
    });
  }

  function up(event: PointerEvent): void {
    if (!fingers.delete(event.pointerId)) return;
    if (event.type === 'pointerup' && !moving && !fingers.size)
      gestures.tap({ x: event.clientX, y: event.clientY });
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    measureCorner();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    // A pinch on a touchpad arrives as a wheel with Ctrl, in smaller steps.
    const speed = ZOOM_PER_WHEEL_PX * lines * (event.ctrlKey ? 5 : 1);
    gestures.zoom(Math.exp(-event.deltaY * speed), pointInElement(event));
  }

  const stopClaiming = preventFlick(node);
  node.addEventListener('pointerdown', down);
  node.addEventListener('pointermove', move);
  node.addEventListener('pointerup', up);
  node.addEventListener('pointercancel', up);
  node.addEventListener('wheel', wheel, { passive: false });
  return () => {
    stopClaiming();
    node.removeEventListener('pointerdown', down);
    node.removeEventListener('pointermove', move);
    node.removeEventListener('pointerup', up);
    node.removeEventListener('pointercancel', up);
    node.removeEventListener('wheel', wheel);
  };
}
