// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { digitOnKey, intendedKey } from './keyboard-layout';

const press = (key: string, code: string) => new KeyboardEvent('keydown', { key, code });

test.each([
  ['English', 'q', 'KeyQ', 'q'],
  ['English with Caps Lock', 'Q', 'KeyQ', 'q'],
  ['Ukrainian', 'й', 'KeyQ', 'q'],
  ['Ukrainian', 'у', 'KeyE', 'e'],
  ['Ukrainian', 'а', 'KeyF', 'f'],
  ['French: A is where Q is elsewhere', 'a', 'KeyQ', 'a'],
  ['French', 'q', 'KeyA', 'q'],
  ['German', '+', 'BracketRight', '+'],
  ['German', '-', 'Slash', '-'],
  ['Czech', '+', 'Digit1', '+'],
  ['Czech', '=', 'Minus', '='],
  ['Czech: 0 without Shift', 'é', 'Digit0', '0'],
  ['French: minus', '-', 'Digit6', '-'],
  ['French: 0 without Shift', 'à', 'Digit0', '0'],
  ['numeric keypad', '+', 'NumpadAdd', '+'],
  ['numeric keypad', '0', 'Numpad0', '0'],
  ['German: ß is not a minus', 'ß', 'Minus', 'ß'],
  ['any', 'Backspace', 'Backspace', 'Backspace'],
  ['Greek: a dead key', 'Dead', 'KeyQ', 'q'],
])('%s: %s on %s is %s', (_, key, code, meant) => {
  expect(intendedKey(press(key, code))).toBe(meant);
});

test.each([
  ['English', '3', 'Digit3', 3],
  ['numeric keypad', '3', 'Numpad3', 3],
  ['French', '&', 'Digit1', 1],
  ['Czech', 'ě', 'Digit2', 2],
  ['a letter', 'a', 'KeyA', null],
  ['an arrow of the keypad', 'ArrowDown', 'Numpad2', null],
])('%s: %s on %s is the digit %s', (_, key, code, digit) => {
  expect(digitOnKey(press(key, code))).toBe(digit);
});
