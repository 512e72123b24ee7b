// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

const contextCreated = vi.fn();

/** Accepts every call: only ears can judge a sound. */
class FakeAudioContext {
  state = 'running';
  currentTime = 0;
  sampleRate = 100;
  destination = {};
  constructor() {
    contextCreated();
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
  contextCreated.mockClear();
  vi.stubGlobal('AudioContext', FakeAudioContext);
});

const load = async (volume: number) => {
  const { settings } = await import('./settings.svelte');
  settings.set('volume', volume);
  return (await import('./sounds')).playSound;
};
const touch = () => dispatchEvent(new Event('pointerdown'));

test('no sound is played before the page is touched', async () => {
  const playSound = await load(0.5);
  playSound('lay');
  expect(contextCreated).not.toHaveBeenCalled();
  touch();
  playSound('lay');
  playSound('solved');
  expect(contextCreated).toHaveBeenCalledOnce();
});

test('volume 0 does not even open the audio device', async () => {
  const playSound = await load(0);
  touch();
  playSound('win');
  expect(contextCreated).not.toHaveBeenCalled();
});

test('a browser that can play no sound is not an error', async () => {
  vi.stubGlobal('AudioContext', function () {
    throw new Error('no device');
  });
  const playSound = await load(1);
  touch();
  expect(() => playSound('draw')).not.toThrow();
});
