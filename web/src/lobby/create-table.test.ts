// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import type { ChairInfo } from '../lib/wire';
import { guestName } from './create-table';

const chairs = (...names: string[]): ChairInfo[] =>
  names.map((name) => ({ name, kind: 'person' }) as ChairInfo);

beforeAll(() => translations.load('en'));

test('guests at a table have different names', () => {
  const first = guestName(chairs('Ola', ''));
  const second = guestName(chairs('Ola', first));
  const third = guestName(chairs('Ola', first, second));
  expect(new Set([first, second, third]).size).toBe(3);
  expect(guestName(chairs('Ola', first, third), 2)).toBe(second);
});
