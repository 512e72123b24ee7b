/** Where tiles fly from and to, in the window. */

import type { BoardCamera } from '../board/board-camera.svelte';
import type { Anchor } from './playback.svelte';

interface AnchorContext {
  root: HTMLElement | undefined;
  camera: BoardCamera;
  view: { seat: number | null };
}

export function anchorRect(anchor: Anchor, { root, camera, view }: AnchorContext): DOMRect {
  if (anchor.kind === 'cell') return camera.rectOf(anchor.cell);
  for (const selector of anchorSelectors(anchor, view.seat)) {
    const element = root?.querySelector(selector);
    if (element) return element.getBoundingClientRect();
  }
  return new DOMRect();
}

const DISPLAY_SELECTOR = '[data-display]';

/** The selectors for an anchor, the best first. `you` is the seat whose rack is seen. */
function anchorSelectors(anchor: Exclude<Anchor, { kind: 'cell' }>, you: number | null): string[] {
  switch (anchor.kind) {
    case 'bag':
      return ['[data-bag]'];
    case 'seat':
      return [...(anchor.seat === you ? ['[data-rack]'] : []), `[data-seat="${anchor.seat}"]`];
    case 'display':
      return [
        `${DISPLAY_SELECTOR} [data-tile="${anchor.tile}"]`,
        `${DISPLAY_SELECTOR} [data-tile]:last-of-type`,
        DISPLAY_SELECTOR,
      ];
    case 'rack':
      return [`[data-rack] [data-tile="${anchor.tile}"]`];
  }
}
