// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { Flights } from './flights.svelte';

test('flights land independently, even with equal items', async () => {
  const flights = new Flights<string>();
  const landed = [vi.fn(), vi.fn()];
  const here = new DOMRect();
  const all = landed.map((land) => flights.fly('ruby', here, here, { durationMs: 9 }).then(land));
  flights.inTheAir[1]!.land();
  await all[1];
  expect(landed.map((land) => land.mock.calls.length)).toEqual([0, 1]);
  expect(flights.inTheAir).toHaveLength(1);
  flights.inTheAir[0]!.land();
  await all[0];
  expect(flights.inTheAir).toEqual([]);
});
