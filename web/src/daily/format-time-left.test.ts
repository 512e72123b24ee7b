import { expect, test } from 'vitest';
import { formatTimeLeft } from './format-time-left';

const MINUTE = 60_000;
const SPACE = '\u00a0';

test.each([
  ['hours and minutes', 312 * MINUTE, 'de-DE', '5 Std. 12 Min.'],
  ['a started minute counts', 311 * MINUTE + 1, 'de-DE', '5 Std. 12 Min.'],
  ['full hours', 120 * MINUTE, 'de-DE', '2 Std.'],
  ['only minutes', 12 * MINUTE, 'fr-FR', '12 min'],
  ['the last second', 1000, 'fr-FR', '1 min'],
  ['in another language', 312 * MINUTE, 'pl-PL', '5 godz. 12 min'],
])('%s', (_, ms, locale, text) => {
  expect(formatTimeLeft(ms, locale)).toBe(text.replaceAll(' ', SPACE));
});
