/** Whether people use this device with their fingers, and hardly ever with a keyboard. */
export const isTouchDevice = (): boolean =>
  matchMedia('(hover: none) and (pointer: coarse)').matches;
