// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { handleKey } from './shortcuts';
import type { UnikatSession } from './session.svelte';

function press(key: string, code: string): string[] {
  const actions: string[] = [];
  const note = (name: string) => () => actions.push(name);
  const session = {
    camera: {
      zoom: (factor: number) => actions.push(factor > 1 ? 'in' : 'out'),
      showWholeBoard: note('whole'),
    },
    draft: { deselect: vi.fn() },
    activeAids: ['hint'],
    commit: note('commit'),
    showHint: note('hint'),
    takeBack: note('back'),
  } as unknown as UnikatSession;
  const keys = {
    focusRack: note('rack'),
    focusDisplay: note('display'),
    focusBag: note('bag'),
    focusNextPlace: note('place'),
    openHelp: note('help'),
  };
  const handled = handleKey(new KeyboardEvent('keydown', { key, code }), session, keys);
  expect(handled).toBe(actions.length > 0);
  return actions;
}

test.each([
  ['English', '=', 'Equal', 'in'],
  ['English with Shift', '+', 'Equal', 'in'],
  ['German', '+', 'BracketRight', 'in'],
  ['German', '-', 'Slash', 'out'],
  ['Czech', '+', 'Digit1', 'in'],
  ['Slovak', '-', 'Slash', 'out'],
  ['French', '-', 'Digit6', 'out'],
  ['French', 'à', 'Digit0', 'whole'],
  ['numeric keypad', '+', 'NumpadAdd', 'in'],
  ['numeric keypad', '-', 'NumpadSubtract', 'out'],
  ['numeric keypad', '0', 'Numpad0', 'whole'],
  ['Ukrainian', 'с', 'KeyC', 'commit'],
  ['Ukrainian', 'е', 'KeyT', 'help'],
  ['English', 'T', 'KeyT', 'help'],
  ['English', 'd', 'KeyD', 'display'],
  ['Ukrainian', 'и', 'KeyB', 'bag'],
  ['any', 'Backspace', 'Backspace', 'back'],
])('%s keyboard: %s on %s', (_, key, code, does) => {
  expect(press(key, code)).toEqual([does]);
});

test('behind a dialog no key does anything, wherever the focus is', () => {
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.showModal();
  expect(press('c', 'KeyC')).toEqual([]);
  expect(press('Escape', 'Escape')).toEqual([]);
  dialog.close();
  expect(press('c', 'KeyC')).toEqual(['commit']);
  dialog.remove();
});

test('other keys are left to the browser', () => {
  expect(press('x', 'KeyX')).toEqual([]);
  expect(press('ß', 'Minus')).toEqual([]);
});

test('shortcuts are ignored with Ctrl and in text fields, as is H without the hint aid', () => {
  const actions: string[] = [];
  const session = {
    activeAids: [],
    commit: () => actions.push('commit'),
    showHint: () => actions.push('hint'),
  } as unknown as UnikatSession;
  const press = (key: string, more: KeyboardEventInit = {}, target: Element | null = null) => {
    const event = new KeyboardEvent('keydown', { key, ...more });
    Object.defineProperty(event, 'target', { value: target });
    return handleKey(event, session, {} as never);
  };
  expect(press('c', { ctrlKey: true })).toBe(false);
  expect(press('c', {}, document.createElement('input'))).toBe(false);
  expect(press('h')).toBe(false);
  expect(actions).toEqual([]);
});
