// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../../../lib/i18n.svelte';
import type { UnikatView } from '../../../lib/wire';
import { resultText } from './result-text';

beforeAll(() => translations.load('en'));

const NAMES = ['Zuzka', 'Max'];
const over = (more: object): UnikatView =>
  ({
    options: { rounds: 1 },
    round: 1,
    ended: 'last tile',
    winners: [0],
    outcome: null,
    ...more,
  }) as unknown as UnikatView;

test('the winner is addressed, everyone else reads the name', () => {
  expect(resultText(over({}), { names: NAMES, you: 0 })).toMatch(/You win!$/);
  expect(resultText(over({}), { names: NAMES, you: 1 })).toMatch(/^Zuzka .*wins/);
});

test('on a shared device, nobody is "you"', () => {
  expect(resultText(over({}), { names: NAMES, you: null })).toMatch(/^Zuzka .*wins/);
});

test('winning one of several rounds is not winning the game', () => {
  const between = over({ options: { rounds: 3 } });
  expect(resultText(between, { names: NAMES, you: 0 })).toBe('You win round 1!');
  expect(resultText(between, { names: NAMES, you: 1 })).toBe('Zuzka wins round 1');
  const blocked = over({ options: { rounds: 3 }, ended: 'blocked', winners: [0, 1] });
  expect(resultText(blocked, { names: NAMES, you: 1 })).toBe(
    'The round is stuck. Zuzka and Max win round 1',
  );
  const last = over({ options: { rounds: 3 }, round: 3, outcome: { winners: [1] } });
  expect(resultText(last, { names: NAMES, you: 1 })).toBe('You win the game!');
});
