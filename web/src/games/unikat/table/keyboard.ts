/** Keys that work wherever the focus is at the table. */

import type { UnikatSession } from './session.svelte';

export interface TableKeys {
  focusRack(): void;
  focusPlace(by: 1 | -1): void;
  openHelp(): void;
}

const ZOOM_STEP = 1.35;

/** Do what a key means; whether it means anything. */
export function handleKey(event: KeyboardEvent, session: UnikatSession, keys: TableKeys): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  // The menu's dialogs are inside the table's header: a letter typed there isn't a move.
  if (event.target instanceof Element && event.target.closest('dialog, input, select'))
    return false;
  const { camera, draft } = session;
  const actions: Record<string, (() => void) | undefined> = {
    KeyN: () => keys.focusPlace(1),
    KeyP: () => keys.focusPlace(-1),
    KeyC: () => session.commit(),
    KeyH: session.activeAids.includes('hint') ? () => session.hint() : undefined,
    KeyR: () => keys.focusRack(),
    KeyT: () => keys.openHelp(),
    Backspace: () => session.takeBack(),
    Escape: () => {
      draft.deselect();
      keys.focusRack();
    },
    Equal: () => camera.zoom(ZOOM_STEP),
    Minus: () => camera.zoom(1 / ZOOM_STEP),
    Digit0: () => camera.showWhole(),
  };
  const act = actions[event.code];
  act?.();
  return act !== undefined;
}
