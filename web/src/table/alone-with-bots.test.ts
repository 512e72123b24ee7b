import { expect, test } from 'vitest';
import type { TableConnection } from '../connection/table-connection.svelte';
import { isAloneWithBots } from './alone-with-bots';

test.each([
  [['person', 'bot'], [0], true],
  [['bot', 'person', 'bot'], [1], true],
  [['person', 'person', 'bot'], [0], false],
  // Somebody may still sit down there.
  [['person', 'free'], [0], false],
  // Others play on this device, or we only watch.
  [['person', 'person'], [0, 1], false],
  [['person', 'bot'], [], false],
])('at a table of %j, with the seats %j of our own: %s', (kinds, yours, alone) => {
  const info = { chairs: kinds.map((kind) => ({ kind })) };
  expect(isAloneWithBots({ info, yours } as unknown as TableConnection)).toBe(alone);
});
