// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { handleKey } from './shortcuts';
import type { PieceController } from './piece-controller.svelte';

function press(key: string, code: string): string[] {
  const actions: string[] = [];
  const controller = {
    card: { active: true, placed: {} },
    pieces: [7, 3, 5],
    focus: { focus: () => undefined },
    turn: (by: number) => actions.push(by < 0 ? 'left' : 'right'),
    flip: () => actions.push('flip'),
    choose: (piece: number) => actions.push(`piece ${piece}`),
  } as unknown as PieceController;
  const root = document.createElement('div');
  const handled = handleKey(new KeyboardEvent('keydown', { key, code }), controller, root);
  expect(handled).toBe(actions.length > 0);
  return actions;
}

test.each([
  ['English', 'q', 'KeyQ', 'left'],
  ['Ukrainian', 'й', 'KeyQ', 'left'],
  ['Ukrainian', 'у', 'KeyE', 'right'],
  ['Ukrainian', 'А', 'KeyF', 'flip'],
  ['French', 'q', 'KeyA', 'left'],
  ['English', '2', 'Digit2', 'piece 3'],
  ['French', 'é', 'Digit2', 'piece 3'],
  ['Czech', '+', 'Digit1', 'piece 7'],
])('%s keyboard: %s on %s', (_, key, code, does) => {
  expect(press(key, code)).toEqual([does]);
});

test('there is no fourth piece', () => {
  expect(press('4', 'Digit4')).toEqual([]);
});
