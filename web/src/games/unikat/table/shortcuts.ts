/** Keys that work wherever the focus is at the table. */

import { isDialogOpen } from '../../../lib/focus';
import { intendedKey } from '../../../lib/keyboard-layout';
import type { UnikatSession } from './session.svelte';

export interface TableKeys {
  focusRack(): void;
  focusDisplay(): void;
  focusBag(): void;
  focusNextPlace(by: 1 | -1): void;
  openHelp(): void;
}

const ZOOM_STEP = 1.35;

/** Do what a key means. Returns whether it means anything. */
export function handleKey(event: KeyboardEvent, session: UnikatSession, keys: TableKeys): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return false;
  if (event.target instanceof Element && event.target.closest('input, select')) return false;
  const { camera, draft } = session;
  const actions: Record<string, (() => void) | undefined> = {
    n: () => keys.focusNextPlace(1),
    p: () => keys.focusNextPlace(-1),
    c: () => session.commit(),
    h: session.activeAids.includes('hint') ? () => session.showHint() : undefined,
    r: () => keys.focusRack(),
    d: () => keys.focusDisplay(),
    b: () => keys.focusBag(),
    t: () => keys.openHelp(),
    Backspace: () => session.takeBack(),
    Escape: () => {
      draft.deselect();
      keys.focusRack();
    },
    '+': () => camera.zoom(ZOOM_STEP),
    // Plus without Shift on an English keyboard.
    '=': () => camera.zoom(ZOOM_STEP),
    '-': () => camera.zoom(1 / ZOOM_STEP),
    '0': () => camera.showWholeBoard(),
  };
  const act = actions[intendedKey(event)];
  act?.();
  return act !== undefined;
}
