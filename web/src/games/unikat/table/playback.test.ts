import { expect, test } from 'vitest';
import type { Stone, UnikatEvent, UnikatView } from '../../../lib/wire';
import { Playback, type PlaybackHost } from './playback.svelte';

const view = (board: Stone[]): UnikatView =>
  ({ seat: 0, round: 1, board, hand: [], counts: [5, 5], latest: [] }) as unknown as UnikatView;
const laid = (tile: string, x: number): UnikatEvent =>
  ({ kind: 'chain_laid', seat: 1, tiles: [[tile, x, 0]] }) as unknown as UnikatEvent;

const host = (more: Partial<PlaybackHost> = {}): PlaybackHost => ({
  fly: () => Promise.resolve(),
  expect: () => 0,
  beforeEvent: () => undefined,
  isDrafted: () => true,
  ...more,
});

test('updates are shown one after the other', async () => {
  const seen: string[] = [];
  const playback = new Playback(view([]), host({ beforeEvent: ({ kind }) => seen.push(kind) }));
  const last = view([
    [0, 0, '0000'],
    [1, 0, '0001'],
  ]);
  const shown = playback.add([laid('0000', 0)], view([[0, 0, '0000']]));
  void playback.add([laid('0001', 1)], last);
  expect(playback.busy).toBe(true);
  await shown;
  expect(seen).toEqual(['chain_laid', 'chain_laid']);
  expect(playback.view).toBe(last);
});

test("an update that can't be shown doesn't freeze the table", async () => {
  const beforeEvent = () => {
    throw new Error('no such element');
  };
  const playback = new Playback(view([]), host({ beforeEvent }));
  const next = view([[0, 0, '0000']]);
  await expect(playback.add([laid('0000', 0)], next)).rejects.toThrow('no such element');
  expect(playback.busy).toBe(false);
  expect(playback.view).toBe(next);
});
