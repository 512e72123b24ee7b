/** Sounds that the browser synthesizes: no files. One table has the recipes. */

import { settings } from './settings.svelte';

export type Sound =
  | 'yourTurn'
  | 'lift'
  | 'lay'
  | 'draw'
  | 'swap'
  | 'bonus'
  | 'wrong'
  | 'tick'
  | 'go'
  | 'lastSeconds'
  | 'solved'
  | 'gem'
  | 'roundEnd'
  | 'win'
  | 'talk';

/** A tone that fades, gliding `to` another pitch if there is one. In seconds and hertz. */
interface Tone {
  hz: number;
  to?: number;
  wave?: OscillatorType;
}

/** Noise through a filter: wood, cloth. */
interface Noise {
  noise: BiquadFilterType;
  hz: number;
  to?: number;
  q?: number;
}

type SoundPart = (Tone | Noise) & {
  /** Seconds from the beginning of the sound. */
  at?: number;
  lasts: number;
  loud: number;
  /** The attack: nothing for a click, a while for a rustle. */
  rise?: number;
};

const [D4, G4, A4, C5, D5, E5, G5, A5, C6, E6, G6] = [
  293.7, 392, 440, 523.3, 587.3, 659.3, 784, 880, 1046.5, 1318.5, 1568,
];

/** A wooden tile on a wooden table: a dry click, and a little body under it. */
const wood = (at = 0, loud = 1): SoundPart[] => [
  { noise: 'bandpass', hz: 2100, q: 2.5, at, lasts: 0.035, loud: 0.5 * loud },
  { hz: 330, to: 190, at, lasts: 0.07, loud: 0.3 * loud },
];

/** A hand reaching into cloth. */
const cloth = (at = 0, loud = 1): SoundPart[] => [
  { noise: 'bandpass', hz: 900, to: 2600, q: 0.8, at, lasts: 0.16, loud: 0.14 * loud, rise: 0.05 },
  {
    noise: 'bandpass',
    hz: 2400,
    to: 1100,
    q: 0.8,
    at: at + 0.13,
    lasts: 0.16,
    loud: 0.1 * loud,
    rise: 0.04,
  },
];

/** A bell: the second tone is what makes it one. */
const bell = (hz: number, at = 0, loud = 1, lasts = 0.7): SoundPart[] => [
  { hz, at, lasts, loud: 0.2 * loud },
  { hz: 2.76 * hz, at, lasts: 0.4 * lasts, loud: 0.05 * loud },
];

const plucked = (hz: number, at: number, lasts: number, loud = 0.22): SoundPart => ({
  hz,
  wave: 'triangle',
  at,
  lasts,
  loud,
});

const RECIPES: Readonly<Record<Sound, readonly SoundPart[]>> = {
  yourTurn: [plucked(G4, 0, 0.35), plucked(C5, 0.13, 0.5)],
  lift: [{ noise: 'highpass', hz: 2600, lasts: 0.025, loud: 0.12 }],
  lay: wood(),
  draw: [...cloth(), ...wood(0.3, 0.5)],
  swap: [...wood(0, 0.7), ...cloth(0.08, 0.8), ...wood(0.38, 0.5)],
  bonus: [...bell(E5), ...bell(A5, 0.09), ...bell(C6, 0.18, 1.1, 1)],
  wrong: [
    { hz: 220, to: 175, wave: 'triangle', lasts: 0.18, loud: 0.22, rise: 0.01 },
    { hz: 207, to: 165, wave: 'triangle', at: 0.02, lasts: 0.2, loud: 0.16, rise: 0.01 },
  ],
  tick: [{ hz: 1050, to: 900, wave: 'triangle', lasts: 0.05, loud: 0.2 }],
  go: [plucked(G5, 0, 0.45, 0.3), { hz: G6, lasts: 0.3, loud: 0.06 }],
  lastSeconds: [
    { noise: 'bandpass', hz: 1500, q: 6, lasts: 0.04, loud: 0.5 },
    { hz: 740, lasts: 0.06, loud: 0.14 },
  ],
  solved: [
    plucked(C5, 0, 0.25),
    plucked(E5, 0.1, 0.25),
    plucked(G5, 0.2, 0.25),
    ...bell(C6, 0.32, 1.2, 0.9),
    ...bell(E6, 0.32, 0.7, 0.9),
  ],
  gem: [...bell(C6, 0, 0.6, 0.4), ...bell(E6, 0.05, 0.5, 0.4), ...bell(G6, 0.1, 0.4, 0.5)],
  roundEnd: [plucked(A4, 0, 0.4), plucked(D5, 0.16, 0.4), plucked(D4, 0.32, 0.8)],
  win: [
    plucked(C5, 0, 0.3),
    plucked(C5, 0.14, 0.2),
    plucked(E5, 0.28, 0.3),
    plucked(G5, 0.42, 0.4),
    ...bell(C6, 0.6, 1.2, 1.4),
    ...bell(E6, 0.6, 0.8, 1.4),
    ...bell(G6, 0.72, 0.5, 1.2),
  ],
  talk: [plucked(E5, 0, 0.12, 0.14), plucked(G5, 0.08, 0.16, 0.14)],
};

/** The same sound twice at the same moment would only be louder. */
const LEAST_GAP_S = 0.04;

let hasUserActed = false;
let audio: { context: AudioContext; hiss: AudioBuffer; master: GainNode } | null = null;
const lastPlayedAt = new Map<Sound, number>();

// Browsers let a page play sounds only after a user has interacted with it.
for (const kind of ['pointerdown', 'keydown'])
  addEventListener(kind, () => (hasUserActed = true), { once: true, capture: true });

/** Play a sound, if sounds are turned on and possible. */
export function playSound(sound: Sound): void {
  const { volume } = settings.chosen;
  if (!hasUserActed || volume <= 0 || typeof AudioContext === 'undefined') return;
  try {
    const { context, hiss, master } = (audio ??= createAudio());
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
    const now = context.currentTime;
    if (now - (lastPlayedAt.get(sound) ?? -1) < LEAST_GAP_S) return;
    lastPlayedAt.set(sound, now);
    // We hear loudness logarithmically: the middle of the slider should sound like half.
    master.gain.value = volume ** 2;
    for (const part of RECIPES[sound]) startSoundPart(context, part, now, hiss).connect(master);
  } catch {
    // No device, or too many sounds at once: the game goes on without.
  }
}

function createAudio(): NonNullable<typeof audio> {
  const context = new AudioContext();
  const hiss = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  const master = context.createGain();
  master.connect(context.destination);
  return { context, hiss, master };
}

/** Start one part of a sound at its time. Returns what remains to be connected. */
function startSoundPart(
  context: AudioContext,
  part: SoundPart,
  now: number,
  hiss: AudioBuffer,
): AudioNode {
  const begins = now + (part.at ?? 0);
  const ends = begins + (part.rise ?? 0.002) + part.lasts;
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(0.0001, begins);
  loudness.gain.exponentialRampToValueAtTime(part.loud, begins + (part.rise ?? 0.002));
  loudness.gain.exponentialRampToValueAtTime(0.0001, ends);
  const { source, height } =
    'noise' in part ? createNoiseVoice(context, part, hiss) : createToneVoice(context, part);
  height.setValueAtTime(part.hz, begins);
  if (part.to) height.exponentialRampToValueAtTime(part.to, ends);
  source.node.connect(loudness);
  source.start.start(begins);
  source.start.stop(ends + 0.02);
  return loudness;
}

interface Voice {
  source: { node: AudioNode; start: AudioScheduledSourceNode };
  height: AudioParam;
}

function createToneVoice(context: AudioContext, { wave = 'sine' }: Tone): Voice {
  const start = context.createOscillator();
  start.type = wave;
  return { source: { node: start, start }, height: start.frequency };
}

function createNoiseVoice(
  context: AudioContext,
  { noise, q = 1 }: Noise,
  hiss: AudioBuffer,
): Voice {
  const start = context.createBufferSource();
  start.buffer = hiss;
  start.loop = true;
  const node = context.createBiquadFilter();
  node.type = noise;
  node.Q.value = q;
  start.connect(node);
  return { source: { node, start }, height: node.frequency };
}
