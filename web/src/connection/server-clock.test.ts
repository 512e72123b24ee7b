// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { secondsUntil } from './server-clock';

let clock: typeof import('./server-clock');

beforeEach(async () => {
  vi.useFakeTimers({ now: 100_000 });
  vi.resetModules();
  clock = await import('./server-clock');
});
afterEach(() => {
  vi.useRealTimers();
});

test('a slightly wrong clock never shows an extra second', () => {
  const at = 1_000_000;
  expect(secondsUntil(at, at - 600_000)).toBe(600);
  expect(secondsUntil(at, at - 600_040)).toBe(600);
  expect(secondsUntil(at, at - 599_960)).toBe(600);
  expect(secondsUntil(at, at - 1_010)).toBe(1);
  expect(secondsUntil(at, at)).toBe(0);
  expect(secondsUntil(at, at + 5_000)).toBe(0);
});

test.each([-30_000, 30_000])(
  'the message with the least delay sets the server clock, %i ms ahead',
  (ahead) => {
    const { serverClock } = clock;
    serverClock.adjust(100_000 + ahead - 400); // a slow message
    serverClock.adjust(100_000 + ahead - 20);
    serverClock.adjust(100_000 + ahead - 300);
    expect(serverClock.now()).toBe(100_000 + ahead - 20);
    expect(serverClock.toServerTime(5000)).toBe(5000 + ahead - 20);
  },
);

test.each([-60_000, 60_000])(
  'the offset is measured again if the device clock jumps by %i ms',
  (jump) => {
    const { serverClock } = clock;
    serverClock.adjust(100_000 + 5000);
    vi.setSystemTime(100_000 + jump);
    serverClock.adjust(100_000 + 5000 - 30);
    expect(serverClock.now()).toBe(100_000 + 5000 - 30);
  },
);

test('runAt waits longer if the device clock is set back', () => {
  const { runAt, serverClock } = clock;
  const callback = vi.fn();
  serverClock.adjust(100_000);
  runAt(103_000, callback);
  vi.advanceTimersByTime(1000);
  vi.setSystemTime(100_500);
  vi.advanceTimersByTime(2000);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(callback).toHaveBeenCalledOnce();
});

test('runAt runs at once for a past moment, and not at all if cancelled', () => {
  const [past, cancelled] = [vi.fn(), vi.fn()];
  clock.runAt(99_000, past);
  const cancel = clock.runAt(101_000, cancelled);
  vi.advanceTimersByTime(0);
  expect(past).toHaveBeenCalledOnce();
  cancel();
  vi.advanceTimersByTime(5000);
  expect(cancelled).not.toHaveBeenCalled();
});

test('ticks are aligned to a moment, before and after it', () => {
  const ticks: number[] = [];
  const stop = clock.runEverySecondAlignedTo(101_300, (now) => ticks.push(now));
  vi.advanceTimersByTime(2500);
  expect(ticks).toEqual([100_000, 100_300, 101_300, 102_300]);
  stop();
  vi.advanceTimersByTime(5000);
  expect(ticks).toHaveLength(4);
});
