/** Which key was meant, on any keyboard. */

const LATIN = /^[ -~]$/;
const ON_EVERY_KEYBOARD = /^(?:Key|Digit)([A-Z0-9])$/;

/**
 * What a key types, in lower case: "q", "+", "Enter". Keyboards of other scripts, and rows of
 * accented letters in place of digits, type nothing that we use; for them it's the character in the
 * same place on an English keyboard.
 */
export function intendedKey({ key, code }: KeyboardEvent): string {
  if (key.length > 1 && key !== 'Dead') return key;
  if (LATIN.test(key)) return key.toLowerCase();
  return (ON_EVERY_KEYBOARD.exec(code)?.[1] ?? key).toLowerCase();
}

/** The digit on a key, even if it takes Shift to type it. */
export function digitOnKey(event: KeyboardEvent): number | null {
  const digit = /^\d$/.exec(event.key)?.[0] ?? /^Digit(\d)$/.exec(event.code)?.[1];
  return digit === undefined ? null : Number(digit);
}
