import { expect, test } from 'vitest';
import { isWithdrawal, addOrReplaceLine } from './chat-log';
import type { Line } from '../lib/wire';

const line = (number: number, fields: Partial<Line> = {}): Line => ({
  kind: 'line',
  number,
  seat: 0,
  text: null,
  reaction: null,
  change: null,
  name: null,
  ...fields,
});

test('a new line comes last, and only the last 40 are kept', () => {
  const talk = Array.from({ length: 40 }, (_, at) => line(at + 1, { text: 'hello' }));
  const numbers = addOrReplaceLine(talk, line(41, { text: 'hi' })).map(({ number }) => number);
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([40, 2, 41]);
});

test('withdrawn text disappears, and a withdrawn name becomes empty', () => {
  const talk = [
    line(1, { text: 'my secret' }),
    line(2, { change: 'left', name: 'Ola' }),
    line(3, { reaction: 'clap' }),
  ];
  const blank = line(1, { text: '' });
  const nameless = line(2, { change: 'left', name: '' });
  expect([blank, nameless, talk[2]!].map(isWithdrawal)).toEqual([true, true, false]);
  expect(addOrReplaceLine(addOrReplaceLine(talk, blank), nameless)).toEqual([nameless, talk[2]]);
});
