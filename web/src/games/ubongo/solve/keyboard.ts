/** Solving by keyboard alone. */

import type { Hex } from '../../../lib/wire';
import type { PieceController } from './piece-controller.svelte';
import { centre, cellKey, nearest } from '../hexes';

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next white cell in a direction; in the next rows the one nearest to straight on. */
export function nextCell(area: readonly Hex[], from: Hex, key: string): Hex | null {
  const [dx, dy] = STEPS[key] ?? [0, 0];
  const [x, y] = centre(from);
  const ahead = area.filter((cell) => {
    const [cx, cy] = centre(cell);
    return dy ? (cy - y) * dy > 0.1 : Math.abs(cy - y) < 0.1 && (cx - x) * dx > 0.1;
  });
  if (!ahead.length) return null;
  const rows = ahead.map((cell) => Math.abs(centre(cell)[1] - y));
  const next = ahead.filter((_, at) => rows[at] === Math.min(...rows));
  // A straight way up leans to the right and to the left in turns.
  const lean = dy && from[1] % 2 ? -0.1 : 0.1;
  return nearest(next, [x + (dy ? lean : 0), centre(next[0]!)[1]]);
}

/** Whether the key was meant for the hand, which has done it then. */
export function handleKey(
  event: KeyboardEvent,
  hand: PieceController,
  root: HTMLElement,
  show: () => void,
): boolean {
  const { key } = event;
  if (!hand.card.active || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, dialog, [contenteditable]')) return false;
  const inside = target !== null && root.contains(target);
  const onCell = inside && target.closest('[role="gridcell"]') !== null;

  const piece = /^[1-9]$/.test(key) ? hand.pieces[Number(key) - 1] : undefined;
  if (piece !== undefined) {
    hand.choose(piece);
    hand.hovering = true;
    const lying = hand.card.placed[piece];
    if (lying && !lying.some((cell) => cellKey(cell) === cellKey(hand.at)))
      hand.at = nearest(lying, centre(hand.at));
    show();
    return true;
  }
  switch (key.toLowerCase()) {
    case 'q':
      hand.turn(-1);
      return true;
    case 'e':
      hand.turn(1);
      return true;
    case 'f':
      hand.flip();
      return true;
  }
  if (key === 'Backspace' || key === 'Delete') {
    hand.takeOff();
    return true;
  }
  if (key in STEPS && (inside || target === document.body)) {
    if (onCell) hand.at = nextCell(hand.card.deal.area, hand.at, key) ?? hand.at;
    hand.hovering = true;
    show();
    return true;
  }
  if (onCell && (key === 'Enter' || key === ' ')) {
    hand.enter(hand.at);
    return true;
  }
  if (onCell && key === 'Escape' && hand.hovering) {
    hand.hovering = false;
    return true;
  }
  return false;
}
