import { expect, test } from 'vitest';
import { medalFor, shareText, type ResultSymbol, type SharedResult } from './shared-result';

const LAID: ResultSymbol = { emoji: '🟩', shape: 'square', fill: 'green' };
const MISSED: ResultSymbol = { emoji: '⬜', shape: 'square', fill: null };

const result: SharedResult = {
  sentence: 'Daily Unikat: 2 of 3 tiles.',
  kind: 'Easy',
  result: '2 of 3 tiles',
  symbols: [LAID, LAID, MISSED],
  award: '',
};

test('the text has the result, a symbol for each tile, and the streak', () => {
  expect(shareText(result, 5)).toBe('Daily Unikat: 2 of 3 tiles.\n🟩🟩⬜ 🔥5');
});

test('a single day is not a streak', () => {
  expect(shareText(result, 1)).toBe('Daily Unikat: 2 of 3 tiles.\n🟩🟩⬜');
});

test('an award follows the symbols', () => {
  const perfect = { ...result, symbols: [LAID], award: '🌟' };
  expect(shareText(perfect, 2)).toBe('Daily Unikat: 2 of 3 tiles.\n🟩 🌟 🔥2');
});

test('the first three places have medals', () => {
  expect([1, 2, 3, 4, null].map(medalFor)).toEqual(['🥇', '🥈', '🥉', '', '']);
});
