// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

const made = vi.fn();

/** Accepts whatever is done with it: only ears can judge a sound. */
class Anything {
  state = 'running';
  currentTime = 0;
  sampleRate = 100;
  destination = {};
  constructor() {
    made();
  }
  createBuffer = () => ({ getChannelData: () => new Float32Array(50) });
  createGain = () => this.#node();
  createOscillator = () => this.#node();
  createBufferSource = () => this.#node();
  createBiquadFilter = () => this.#node();
  #node() {
    const param = { value: 0, setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
    return {
      gain: { ...param },
      frequency: { ...param },
      Q: { ...param },
      connect: vi.fn(),
      start: vi.fn(),
      stop: vi.fn(),
    };
  }
}

beforeEach(() => {
  vi.resetModules();
  made.mockClear();
  vi.stubGlobal('AudioContext', Anything);
});

const load = async (volume: number) => {
  const { settings } = await import('./settings.svelte');
  settings.set('volume', volume);
  return (await import('./sounds')).playSound;
};
const touch = () => dispatchEvent(new Event('pointerdown'));

test('no sound is made before somebody has touched the page', async () => {
  const playSound = await load(0.5);
  playSound('lay');
  expect(made).not.toHaveBeenCalled();
  touch();
  playSound('lay');
  playSound('solved');
  expect(made).toHaveBeenCalledOnce();
});

test('volume 0 does not even open the device', async () => {
  const playSound = await load(0);
  touch();
  playSound('win');
  expect(made).not.toHaveBeenCalled();
});

test('a browser that can make no sound is no error', async () => {
  vi.stubGlobal('AudioContext', function () {
    throw new Error('no device');
  });
  const playSound = await load(1);
  touch();
  expect(() => playSound('draw')).not.toThrow();
});

test('the same sound at the same moment is made once', async () => {
  let parts = 0;
  vi.stubGlobal(
    'AudioContext',
    class extends Anything {
      override createOscillator = () => {
        parts += 1;
        return this.createGain();
      };
    },
  );
  const playSound = await load(0.5);
  touch();
  playSound('tick');
  const once = parts;
  playSound('tick');
  expect([once > 0, parts]).toEqual([true, once]);
  playSound('lastSeconds');
  expect(parts).toBeGreaterThan(once);
});
