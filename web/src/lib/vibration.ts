/** The phone's vibration. */

const VIBRATION_MS = 200;

/** Whether this is a device that can vibrate: desktop browsers say so, too. */
export const canVibrate = (): boolean =>
  'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** Vibrate for a moment. Browsers complain before the page was ever touched. */
export function vibrate(): void {
  if (canVibrate() && navigator.userActivation?.hasBeenActive) navigator.vibrate(VIBRATION_MS);
}
