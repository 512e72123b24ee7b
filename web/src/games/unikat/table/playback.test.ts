// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Stone, UnikatEvent, UnikatView } from '../../../lib/wire';
import { Playback, type PlaybackHost } from './playback.svelte';

const view = (board: Stone[]): UnikatView =>
  ({ seat: 0, round: 1, board, hand: [], counts: [5, 5], latest: [] }) as unknown as UnikatView;
const laid = (tile: string, x: number): UnikatEvent =>
  ({ kind: 'chain_laid', seat: 1, tiles: [[tile, x, 0]] }) as unknown as UnikatEvent;

const host = (more: Partial<PlaybackHost> = {}): PlaybackHost => ({
  fly: () => Promise.resolve(),
  panToUpcoming: () => 0,
  beforeEvent: () => undefined,
  isDrafted: () => true,
  ...more,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
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

test("another player's chain is shown tile by tile, once the camera is there", async () => {
  const shown: unknown[] = [];
  const playback = new Playback(
    view([]),
    host({
      isDrafted: () => false,
      panToUpcoming: (cells) => {
        shown.push(cells);
        return 320;
      },
      fly: (tile) => {
        shown.push([tile, playback.view.board.length]);
        return Promise.resolve();
      },
    }),
  );
  const chain = { ...laid('0000', 0), tiles: [['0000', 0, 0], ['0001', 1, 0]] } as UnikatEvent; // prettier-ignore
  const last = view([]);
  const added = playback.add([chain], last);
  expect(shown).toEqual([[[0, 0], [1, 0]]]); // prettier-ignore
  await vi.runAllTimersAsync();
  await added;
  expect(shown.slice(1)).toEqual([['0000', 0], ['0001', 1]]); // prettier-ignore
  expect(playback.view).toBe(last);
});

test('tiles fly between the seats, the rack, the display and the bag', async () => {
  const flown: unknown[] = [];
  const fly: PlaybackHost['fly'] = (...flight) => {
    flown.push(flight.slice(0, 3));
    return Promise.resolve();
  };
  const playback = new Playback({ ...view([]), display: [], bag: 9 }, host({ fly }));
  const events = [
    { kind: 'tile_drawn', seat: 1, tile: { hidden: true }, source: 'bag' },
    { kind: 'tile_drawn', seat: 0, tile: '0002', source: 'display' },
    { kind: 'tile_swapped', seat: 0, give: '0002', take: '0011', source: 'bag' },
    { kind: 'display_filled', tiles: ['1111'] },
  ] as unknown as UnikatEvent[];
  const added = playback.add(events, view([]));
  await vi.runAllTimersAsync();
  await added;
  const bag = { kind: 'bag' };
  const mine = { kind: 'seat', seat: 0 };
  expect(flown).toEqual([
    [null, bag, { kind: 'seat', seat: 1 }],
    ['0002', { kind: 'display', tile: '0002' }, mine],
    ['0002', { kind: 'rack', tile: '0002' }, { kind: 'display', tile: '0002' }],
    ['0011', bag, mine],
    ['1111', bag, { kind: 'display', tile: '1111' }],
  ]);
});

test('nothing flies while the page is hidden or too many updates wait', async () => {
  const fly = vi.fn(() => Promise.resolve());
  const quick = host({ fly, isDrafted: () => false });
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const unseen = new Playback(view([]), quick);
  const added = unseen.add([laid('0000', 0)], view([]));
  await vi.runAllTimersAsync();
  await added;
  expect(fly).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  const late = new Playback(view([]), quick);
  const all = [0, 1, 2, 3, 4, 5, 6].map((x) => late.add([laid('0000', x)], view([])));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  // The first is already on its way; those that are too many to follow are skipped.
  expect(fly.mock.calls.length).toBeLessThan(7);
  expect(fly.mock.calls.length).toBeGreaterThan(0);
});

test('a change to another seat or round is not animated', async () => {
  const fly = vi.fn(() => Promise.resolve());
  const playback = new Playback(view([]), host({ fly, isDrafted: () => false }));
  for (const next of [
    { ...view([]), seat: 1 },
    { ...view([]), seat: 1, round: 2 },
  ]) {
    await playback.add([laid('0000', 0)], next);
    expect(playback.view).toBe(next);
  }
  expect(fly).not.toHaveBeenCalled();
});

test('a view without events waits for events that are being shown', async () => {
  const playback = new Playback(view([]), host({ isDrafted: () => false }));
  const other = { ...view([]), seat: 1 };
  playback.showIfIdle(other);
  expect(playback.view).toBe(other);
  const next = { ...view([]), seat: 1, bag: 3 };
  const added = playback.add([laid('0000', 0)], next);
  playback.showIfIdle(view([]));
  expect(playback.view).toBe(other);
  await vi.runAllTimersAsync();
  await added;
  expect(playback.view).toBe(next);
});

test('a closed table shows nothing more', async () => {
  const fly = vi.fn(() => Promise.resolve());
  const beforeEvent = vi.fn();
  const playback = new Playback(view([]), host({ fly, beforeEvent, isDrafted: () => false }));
  const added = playback.add([laid('0000', 0), laid('0002', 2)], view([]));
  void playback.add([laid('0001', 1)], view([]));
  playback.close();
  await vi.runAllTimersAsync();
  await added;
  expect(fly).not.toHaveBeenCalled();
  // Further calls would read from a component that no longer exists.
  expect(beforeEvent).toHaveBeenCalledOnce();
});
