/** Solving by keyboard alone. */

import { isDialogOpen } from '../../../lib/focus';
import { digitOnKey, intendedKey } from '../../../lib/keyboard-layout';
import type { PieceController } from './piece-controller.svelte';
import { cellKey, cellCentre, nearestOf } from '../hexes';
import { ARROWS, nextCell } from './next-cell';

/** Do what a key means. Returns whether it means anything. */
export function handleKey(
  event: KeyboardEvent,
  controller: PieceController,
  root: HTMLElement,
): boolean {
  const { key } = event;
  if (!controller.card.active || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (isDialogOpen() || target?.closest('input, textarea, select, [contenteditable]')) return false;
  const inside = target !== null && root.contains(target);
  const onCell = inside && target.closest('[role="gridcell"]') !== null;

  const digit = digitOnKey(event);
  const piece = digit === null ? undefined : controller.pieces[digit - 1];
  if (piece !== undefined) {
    controller.choose(piece);
    controller.hovering = true;
    const lying = controller.card.placed[piece];
    if (lying && !lying.some((cell) => cellKey(cell) === cellKey(controller.cursor)))
      controller.cursor = nearestOf(lying, cellCentre(controller.cursor));
    controller.focus.focus();
    return true;
  }
  switch (intendedKey(event)) {
    case 'q':
      controller.turn(-1);
      return true;
    case 'e':
      controller.turn(1);
      return true;
    case 'f':
      controller.flip();
      return true;
  }
  if (key === 'Backspace' || key === 'Delete') {
    controller.takeOff();
    return true;
  }
  if (key in ARROWS && (inside || target === document.body)) {
    if (onCell)
      controller.cursor =
        nextCell(controller.card.deal.area, controller.cursor, key) ?? controller.cursor;
    controller.hovering = true;
    controller.focus.focus();
    return true;
  }
  if (onCell && (key === 'Enter' || key === ' ')) {
    controller.activateCell(controller.cursor);
    return true;
  }
  if (onCell && key === 'Escape' && controller.hovering) {
    controller.hovering = false;
    return true;
  }
  return false;
}
