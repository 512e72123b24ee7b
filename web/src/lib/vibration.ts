/** The phone's vibration. */

import { settings } from './settings.svelte';

/** Whether this device can vibrate. Desktop browsers claim that they can, too. */
export const canVibrate = (): boolean =>
  'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** Vibrate, if the player wants it. Browsers warn if the page was never touched. */
export function vibrate(durationMs: number): void {
  if (!settings.chosen.vibration || !canVibrate()) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate(durationMs);
}
