// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import type { Deal, Shape } from '../../../lib/wire';
import { handleKey } from './shortcuts';
import { PieceController } from './piece-controller.svelte';
import { LocalPuzzle } from './puzzle-state.svelte';

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

describe('keys on the card', () => {
  const ROW = [
    [0, 0],
    [1, 0],
    [2, 0],
  ] as unknown as Shape;
  const deal = { card: 1, side: 3, area: ROW, pieces: { 4: ROW.slice(0, 2), 6: ROW.slice(0, 1) } };
  let card: LocalPuzzle;
  let controller: PieceController;
  let root: HTMLElement;
  beforeEach(() => {
    document.body.innerHTML =
      '<main><b role="gridcell" tabindex="0"></b><button></button></main><input />';
    root = document.querySelector('main')!;
    card = new LocalPuzzle(deal as unknown as Deal);
    controller = new PieceController(card);
    controller.cursor = [0, 0];
  });

  /** Press a key with the focus somewhere. Returns whether it did anything. */
  function press(key: string, where = '[role="gridcell"]', more: KeyboardEventInit = {}): boolean {
    const event = new KeyboardEvent('keydown', { key, ...more });
    Object.defineProperty(event, 'target', { value: document.querySelector(where) });
    return handleKey(event, controller, root);
  }

  test('arrows move the cursor, Enter places the piece and Delete takes it off', () => {
    expect(press('ArrowRight')).toBe(true);
    expect([controller.cursor, controller.hovering]).toEqual([[1, 0], true]);
    controller.choose(6);
    expect(press('Enter')).toBe(true);
    expect(card.placed).toEqual({ 6: [[1, 0]] });
    controller.choose(6);
    expect(press('Delete')).toBe(true);
    expect(card.placed).toEqual({});
  });

  test('outside the card, the first arrow only moves the focus to it', () => {
    expect(press('ArrowRight', 'body')).toBe(true);
    expect([controller.cursor, controller.hovering]).toEqual([[0, 0], true]);
    controller.hovering = false;
    expect(press('ArrowRight', 'input')).toBe(false);
    expect(controller.hovering).toBe(false);
  });

  test('Enter on a button is left to the button, and Escape stops hovering', () => {
    expect(press('Enter', 'button')).toBe(false);
    controller.hovering = true;
    expect(press('Escape')).toBe(true);
    expect(controller.hovering).toBe(false);
    expect(press('Escape')).toBe(false);
  });

  test('a digit moves the cursor to its placed piece', () => {
    card.recordPlacement(6, [[2, 0]]);
    expect(press('2')).toBe(true);
    expect([controller.chosen, controller.cursor]).toEqual([6, [2, 0]]);
  });

  test('shortcuts are ignored with Ctrl, in text fields and on an inactive card', () => {
    const before = controller.currentForm(4);
    expect(press('e', undefined, { ctrlKey: true })).toBe(false);
    expect(press('e', 'input')).toBe(false);
    card.active = false;
    expect(press('e')).toBe(false);
    expect(controller.currentForm(4)).toEqual(before);
  });
});
