/** Where something is on the screen, for tiles to fly from and to. */

import type { Anchor } from './playback.svelte';

const STRIP = '[data-display]';

/** `you` is the seat whose rack is seen: its tiles come from and go there. */
export function anchorRect(
  spot: Exclude<Anchor, { kind: 'cell' }>,
  root: HTMLElement | undefined,
  you: number | null,
): DOMRect {
  for (const selector of selectors(spot, you)) {
    const found = root?.querySelector(selector);
    if (found) return found.getBoundingClientRect();
  }
  return new DOMRect();
}

/** The best first. */
function selectors(spot: Exclude<Anchor, { kind: 'cell' }>, you: number | null): string[] {
  switch (spot.kind) {
    case 'bag':
      return ['[data-bag]'];
    case 'seat':
      return [...(spot.seat === you ? ['[data-rack]'] : []), `[data-seat="${spot.seat}"]`];
    case 'display':
      return [`${STRIP} [data-tile="${spot.tile}"]`, `${STRIP} [data-tile]:last-of-type`, STRIP];
    case 'rack':
      return [`[data-rack] [data-tile="${spot.tile}"]`];
  }
}
