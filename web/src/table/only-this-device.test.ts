import { expect, test } from 'vitest';
import type { TableConnection } from '../connection/table-connection.svelte';
import { isOnlyThisDevice } from './only-this-device';

test.each([
  [['person', 'bot'], [0], true],
  [['bot', 'person', 'bot'], [1], true],
  [['person', 'person', 'bot'], [0], false],
  // Somebody may still sit down there.
  [['person', 'free'], [0], false],
  // One device is passed around.
  [['person', 'person'], [0, 1], true],
  [['person', 'person', 'person'], [0, 1], false],
  // We only watch.
  [['person', 'bot'], [], false],
])('a table of %j with our seats %j: %s', (kinds, yours, only) => {
  const info = { chairs: kinds.map((kind) => ({ kind })) };
  expect(isOnlyThisDevice({ info, yours } as unknown as TableConnection)).toBe(only);
});
