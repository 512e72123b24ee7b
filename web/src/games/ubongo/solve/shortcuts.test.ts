// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { handleKey } from './shortcuts';
import type { PieceController } from './piece-controller.svelte';

function pressed(key: string, code: string): string[] {
  const done: string[] = [];
  const controller = {
    card: { active: true, placed: {} },
    pieces: [7, 3, 5],
    focus: { focus: () => undefined },
    turn: (by: number) => done.push(by < 0 ? 'left' : 'right'),
    flip: () => done.push('flip'),
    choose: (piece: number) => done.push(`piece ${piece}`),
  } as unknown as PieceController;
  const root = document.createElement('div');
  const handled = handleKey(new KeyboardEvent('keydown', { key, code }), controller, root);
  expect(handled).toBe(done.length > 0);
  return done;
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
  expect(pressed(key, code)).toEqual([does]);
});

test('there is no fourth piece', () => {
  expect(pressed('4', 'Digit4')).toEqual([]);
});
