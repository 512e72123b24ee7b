/** The phone's vibration. */

import { settings } from './settings.svelte';

/** Whether this is a device that can vibrate: desktop browsers say so, too. */
export const canVibrate = (): boolean =>
  'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** Vibrate, if the player wants it. Browsers complain before the page was ever touched. */
export function vibrate(durationMs: number): void {
  if (!settings.chosen.vibration || !canVibrate()) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate(durationMs);
}
