import { expect, test } from 'vitest';
import {
  DAY_AND_MONTH,
  addDays,
  dayBefore,
  dayOf,
  formatDay,
  lastWeeks,
  nextPuzzleAt,
} from './days';

test('days follow UTC, wherever the browser is', () => {
  expect(dayOf(Date.parse('2026-11-16T23:59:59Z'))).toBe('2026-11-16');
  expect(dayBefore('2026-03-01')).toBe('2026-02-28');
  expect(addDays('2027-12-31', 60)).toBe('2028-02-29');
  expect(formatDay('2026-11-17', 'en-GB')).toBe('Tuesday 17 November');
  expect(formatDay('2026-11-17', 'cs-CZ', DAY_AND_MONTH)).toBe('17. listopadu');
});

test('the next puzzle comes when the day is over', () => {
  expect(new Date(nextPuzzleAt('2026-12-31')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test('the calendar has whole weeks, and today is in the last', () => {
  const weeks = lastWeeks('2026-11-17', 2); // a Tuesday
  expect(weeks.map((week) => [week[0], week[6]])).toEqual([
    ['2026-11-09', '2026-11-15'],
    ['2026-11-16', '2026-11-22'],
  ]);
  expect(weeks.flat()).toHaveLength(14);
  expect(lastWeeks('2026-11-16', 1)[0]![0]).toBe('2026-11-16'); // a Monday
  expect(lastWeeks('2026-11-15', 1)[0]![6]).toBe('2026-11-15'); // a Sunday
});
