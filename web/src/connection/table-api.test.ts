// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { parseTableLink } from './table-api';

test.each([
  ['abcdefghjk', 'abcdefghjk'],
  ['  ABCDE FGHJK ', 'abcdefghjk'],
  ['https://play.example/t/abcdefghjk', 'abcdefghjk'],
  ['https://play.example/games/t/abcdefghjk#code=a2b3c4', 'abcdefghjk'],
  ['https://play.example/screen/abcdefghjk/', 'abcdefghjk'],
])('a table is found in %s', (text, table) => {
  expect(parseTableLink(text)).toBe(table);
});

test.each(['', 'hello', 'abcdefghj', 'https://play.example/', 'abcdefghjkl', 'abcdefghi1'])(
  'there is no table in "%s"',
  (text) => {
    expect(parseTableLink(text)).toBeNull();
  },
);
