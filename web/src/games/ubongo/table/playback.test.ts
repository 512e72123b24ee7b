// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announcer } from '../../../lib/announcer.svelte';
import type { UbongoEvent, UbongoView } from '../../../lib/wire';
import { settings } from '../../../lib/settings.svelte';
import { Playback, type PlaybackHost } from './playback.svelte';

const none = { ruby: 0, sapphire: 0, emerald: 0, amber: 0 };
const full = { ruby: 9, sapphire: 9, emerald: 9, amber: 9 };

const view = (more: Partial<UbongoView> = {}): UbongoView =>
  ({
    seat: 0,
    players: 2,
    options: { rounds: 9 },
    round: 1,
    phase: 'solving',
    playing: [0, 1],
    books: { display: { ...none, sapphire: 9, amber: 9 }, bag: full, held: [none, none] },
    points: [0, 0],
    solutions: [],
    settled: [],
    gave_up: [],
    outcome: null,
    choices: { ready: false, solve: true },
    ...more,
  }) as unknown as UbongoView;
const done = { ready: false, solve: false };
/** A view after the end of the round. */
const over = view({ phase: 'ready', choices: { ready: true, solve: false } });
const won = view({ phase: 'over', choices: done });

const event = (kind: UbongoEvent['kind'], more: object = {}): UbongoEvent =>
  ({ kind, at: 0, ...more }) as unknown as UbongoEvent;
const solved = (seat: number) => event('card_solved', { seat, time: 0 });
const settled = (seat: number, rank = 0) => event('solution_settled', { seat, rank });
const taken = (seat: number, gem: string, source: string) =>
  event('gem_taken', { seat, gem, source });
const gems = (seat: number) => [taken(seat, 'amber', 'display'), taken(seat, 'ruby', 'bag')];
const ended = event('round_ended', { round: 1, at: 7000 });

/**
 * A playback that starts with a view, what it shows, and each gem that flies, with its time (ms).
 */
function watch(before: UbongoView, you: number | null = 0, more: Partial<PlaybackHost> = {}) {
  const flown: [number, string][] = [];
  const start = Date.now();
  const playback = new Playback(before, {
    names: ['Ola', 'Max'],
    you,
    flyGem: ({ gem }) => flown.push([Date.now() - start, gem]),
    ...more,
  });
  const seen = () => {
    const { held, call, announcement, isDrawing } = playback;
    return { phase: held?.phase ?? 'newest', call: call?.seat ?? null, announcement, isDrawing };
  };
  return { playback, flown, seen };
}
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the last call is shown, then its gems, then the end of the round', async () => {
  const { playback, flown, seen } = watch(view());
  const last = event('piece_placed', { seat: 0 });
  void playback.add([last, solved(0), settled(0, 1), ...gems(0), ended], over);
  expect(playback.held, 'at once').not.toBeNull();
  expect(playback.endedAt).toBe(7000);
  await after(0);
  expect(seen()).toEqual({ phase: 'solving', call: 0, announcement: null, isDrawing: false });
  expect(playback.call).toEqual({ seat: 0, rank: 1 });
  await after(1790);
  expect(flown).toEqual([]);
  expect(playback.isOurMoment).toBe(true);
  expect(playback.held?.points).toEqual([0, 0]);
  await after(20);
  expect(flown).toEqual([[1800, 'amber']]);
  expect(playback.call).toBeNull();
  expect(playback.held?.points).toEqual([1, 0]);
  await after(900);
  expect(seen()).toEqual({ phase: 'solving', call: null, announcement: null, isDrawing: true });
  expect(playback.held?.points, 'before the gem is out of the bag').toEqual([1, 0]);
  await after(500);
  expect(flown).toEqual([
    [1800, 'amber'],
    [3200, 'ruby'],
  ]);
  expect(playback.held?.points).toEqual([5, 0]);
  expect(playback.held?.books.bag.ruby).toBe(8);
  await after(900);
  expect(playback.held).toBeNull();
  expect(playback.isOurMoment).toBe(false);
  expect(playback.gained).toEqual({ 0: ['amber', 'ruby'] });
});

test('gems that arrive during our call wait until it ends', async () => {
  const { playback, flown } = watch(view());
  void playback.add([solved(0)], view({ choices: done }));
  await after(250);
  void playback.add([event('piece_moved', { seat: 1 })], view({ choices: done }));
  void playback.add([settled(0), ...gems(0)], view({ choices: done }));
  expect(playback.call, 'the place is shown at once').toEqual({ seat: 0, rank: 0 });
  await after(1500);
  expect(flown).toEqual([]);
  await after(100);
  expect(flown).toHaveLength(1);
  expect(playback.isOurMoment).toBe(true);
  await after(2300);
  expect(flown).toHaveLength(2);
  expect(playback.held).toBeNull();
});

test("while we solve, others' calls and gems delay nothing", async () => {
  const { playback, flown, seen } = watch(view());
  await playback.add([solved(1)], view());
  await playback.add([settled(1), ...gems(1)], view());
  expect(flown).toHaveLength(2);
  expect(seen()).toEqual({ phase: 'newest', call: 1, announcement: null, isDrawing: false });
  expect(playback.isOurMoment).toBe(false);
  await after(1800);
  expect(playback.call).toBeNull();
});

test('for someone who has finished, simultaneous calls are shown one by one', async () => {
  const watching = view({ choices: done });
  const { playback, seen } = watch(watching);
  await playback.add([solved(1)], watching);
  void playback.add([solved(2)], watching);
  void playback.add([settled(2, 1)], watching);
  await after(1790);
  expect(seen()).toMatchObject({ phase: 'solving', call: 1 });
  await after(20);
  expect(seen()).toMatchObject({ phase: 'solving', call: 2 });
  expect(playback.call).toEqual({ seat: 2, rank: 1 });
  await after(1800);
  expect(seen()).toMatchObject({ phase: 'newest', call: null });
});

test('our own call is shown at once, even during another one', async () => {
  const { playback, seen } = watch(view());
  await playback.add([solved(1)], view());
  void playback.add([solved(0), settled(0, 1), ended], over);
  await after(0);
  expect(seen()).toMatchObject({ phase: 'solving', call: 0 });
});

test("another player's call that ends a second chance is shown before its end", async () => {
  const { playback, seen } = watch(view({ phase: 'second_chance' }));
  void playback.add([solved(1), settled(1), taken(1, 'ruby', 'bag'), ended], over);
  await after(0);
  expect(seen()).toMatchObject({ phase: 'second_chance', call: 1 });
  await after(1810);
  expect(seen()).toMatchObject({ phase: 'second_chance', call: null, isDrawing: true });
  await after(1400);
  expect(playback.held).toBeNull();
});

test("another player's call that decides the match is shown before its end", async () => {
  const { playback, seen } = watch(view({ round: 10, deciding: true }));
  const deciding = view({ round: 10, deciding: true });
  await playback.add([solved(1)], deciding);
  await after(250);
  void playback.add([settled(1), ended, event('match_ended')], { ...won, round: 10 });
  await after(1500);
  expect(seen()).toMatchObject({ phase: 'solving', call: 1 });
  await after(60);
  expect(seen()).toMatchObject({ phase: 'ready', call: null });
  await after(3500);
  expect(playback.isCounting).toBe(true);
});

test('the sand runs out, then the round is over', async () => {
  const { playback, seen } = watch(view());
  void playback.add([event('sand_ran_out'), ended], over);
  await after(0);
  expect(seen()).toMatchObject({ phase: 'solving', announcement: 'sand_ran_out' });
  await after(1200);
  expect(seen()).toMatchObject({ phase: 'newest', announcement: null });
  expect(playback.held).toBeNull();
});

test('a second chance is announced while everyone can already solve', async () => {
  const { playback, seen } = watch(view());
  const again = view({ phase: 'second_chance' });
  await playback.add([event('sand_ran_out'), event('second_chance_began')], again);
  expect(seen()).toMatchObject({ phase: 'newest', announcement: 'second_chance_began' });
  await after(1600);
  expect(playback.announcement).toBeNull();
});

test('the end of the last round is shown before the gems are counted', async () => {
  const { playback, seen } = watch(view({ round: 9 }));
  const last = { ...won, round: 9 };
  void playback.add([solved(0), settled(0), ended, event('match_ended')], last);
  await after(1810);
  expect(seen()).toMatchObject({ phase: 'ready', call: null });
  expect(playback.isCounting).toBe(false);
  await after(3500);
  expect(playback.isCounting).toBe(true);
  expect(playback.held).toBeNull();
});

test('a tie is announced after the end of the ninth round', async () => {
  const { playback, seen } = watch(view({ round: 9 }));
  const tied = { ...over, round: 9, deciding: true };
  void playback.add([event('sand_ran_out'), ended, event('tie_found', { seats: [0, 1] })], tied);
  await after(1210);
  expect(seen()).toMatchObject({ phase: 'ready', announcement: null });
  await after(3500);
  expect(seen()).toMatchObject({ phase: 'ready', announcement: 'tie_found' });
  await after(2400);
  expect(seen()).toMatchObject({ phase: 'newest', announcement: null });
});

test('the playback never delays the next round', async () => {
  const { playback, flown } = watch(view());
  const shown = playback.add([solved(1), settled(1), ...gems(1), ended], over);
  await after(300);
  expect(playback.held).not.toBeNull();
  const soon = view({ round: 2, phase: 'countdown', choices: done });
  void playback.add([event('countdown_began', { round: 2 })], soon);
  await shown;
  expect(playback.held).toBeNull();
  expect(flown).toHaveLength(2);
  // Cleared by the countdown: with pass-and-play, the start of the round never gets here.
  expect(playback.gained).toEqual({});
});

test('a new view without events ends an outdated playback', async () => {
  const { playback } = watch(view());
  const shown = playback.add([solved(1), settled(1), ended], over);
  playback.updateNewest(view({ round: 2 }));
  await shown;
  expect(playback.held).toBeNull();
});

test("an update that can't be shown doesn't freeze the table", async () => {
  const flyGem = () => {
    throw new Error('no such element');
  };
  const { playback } = watch(view(), 0, { flyGem });
  const shown = playback.add([solved(0), settled(0), ...gems(0), ended], over);
  const failed = expect(shown).rejects.toThrow('no such element');
  await after(1810);
  await failed;
  expect(playback.held).toBeNull();
  expect(playback.isOurMoment).toBe(false);
  await playback.add([event('round_began', { round: 2 })], view({ round: 2 }));
  expect(playback.gained).toEqual({});
});

test('with reduced motion, every moment is shorter and no gem flies', async () => {
  vi.spyOn(settings, 'durationScale', 'get').mockReturnValue(0);
  const { playback, flown, seen } = watch(view());
  void playback.add([solved(0), settled(0), ...gems(0), ended], over);
  await after(980);
  expect(seen()).toMatchObject({ phase: 'solving', call: 0 });
  await after(1300);
  expect(playback.held).toBeNull();
  expect(flown).toEqual([]);
});

test('a closed table shows and announces nothing', async () => {
  const { playback, flown } = watch(view());
  const say = vi.spyOn(announcer, 'say');
  const shown = playback.add([solved(0), settled(0), ...gems(0), ended], over);
  void playback.add([ended], over);
  playback.close();
  await shown;
  expect(playback.held).toBeNull();
  expect(flown).toEqual([]);
  expect(say).not.toHaveBeenCalled();
});
