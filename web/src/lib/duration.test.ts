// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { describeDuration, durationChoices } from './duration';
import { formatClock } from './format-clock';
import { translations } from './i18n.svelte';

beforeAll(() => translations.load('en'));

test.each([
  [90, '90 seconds'],
  [120, '2 minutes'],
  [5400, '90 minutes'],
  [7200, '2 hours'],
  [36 * 3600, '36 hours'],
  [3 * 86_400, '3 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});

test('the current duration is among the choices once, in order', () => {
  const values = (current: number | null) =>
    durationChoices([30, 60, 120], current).map(({ value }) => value);
  expect(values(90)).toEqual([30, 60, 90, 120]);
  expect(values(60)).toEqual([30, 60, 120]);
  expect(values(null)).toEqual([30, 60, 120]);
});

test('formatClock shows full elapsed seconds', () => {
  expect([0, 9.9, 59.9, 60, 725].map(formatClock)).toEqual([
    '0:00',
    '0:09',
    '0:59',
    '1:00',
    '12:05',
  ]);
});
