/** What is shown and asked in each lesson, one step after the other. */

import type { Key } from '../lib/i18n.svelte';
import type { UbongoAction, UbongoView, UnikatAction, UnikatView } from '../lib/wire';

/** Whether an action is what was asked for: then the step is done. `on`: it is a part of it. */
export type Judgement = 'done' | 'on' | 'no';

export interface Step<View, Action> {
  /** The server knows what lies there. */
  scene: string;
  /** So many actions of the scene's example come before this step. */
  from: number;
  text: Key;
  /** Absent where there is only something to see. */
  asks?: {
    judge: (action: Action, after: View) => Judgement;
    hint?: Key;
    praise: Key;
  };
}

type UnikatStep = Step<UnikatView, UnikatAction>;
type UbongoStep = Step<UbongoView, UbongoAction>;

const when = (yes: boolean): Judgement => (yes ? 'done' : 'no');

const laid = (action: UnikatAction): number => (action.kind === 'lay' ? action.tiles.length : 0);

export const UNIKAT: readonly UnikatStep[] = [
  { scene: 'beside', from: 0, text: 'page.lesson.unikat.tiles.text' },
  {
    scene: 'beside',
    from: 0,
    text: 'page.lesson.unikat.beside.text',
    asks: {
      judge: (action) => when(laid(action) > 0),
      hint: 'page.lesson.unikat.beside.hint',
      praise: 'page.lesson.unikat.beside.praise',
    },
  },
  {
    scene: 'chain',
    from: 0,
    text: 'page.lesson.unikat.chain.text',
    asks: {
      judge: (action) => when(laid(action) === 3),
      hint: 'page.lesson.unikat.chain.hint',
      praise: 'page.lesson.unikat.chain.praise',
    },
  },
  {
    scene: 'double',
    from: 0,
    text: 'page.lesson.unikat.double.text',
    asks: {
      judge: (_, { phase }) => when(phase === 'bonus'),
      hint: 'page.lesson.unikat.double.hint',
      praise: 'page.lesson.unikat.double.praise',
    },
  },
  {
    scene: 'double',
    from: 1,
    text: 'page.lesson.unikat.extra.text',
    asks: {
      judge: ({ kind }) => when(kind === 'lay' || kind === 'swap'),
      hint: 'page.lesson.unikat.extra.hint',
      praise: 'page.lesson.unikat.extra.praise',
    },
  },
  {
    scene: 'double',
    from: 2,
    text: 'page.lesson.unikat.draw.text',
    asks: {
      judge: ({ kind }) => when(kind === 'draw'),
      hint: 'page.lesson.unikat.draw.hint',
      praise: 'page.lesson.unikat.draw.praise',
    },
  },
  {
    scene: 'swap',
    from: 0,
    text: 'page.lesson.unikat.swap.text',
    asks: {
      judge: ({ kind }) => when(kind === 'swap'),
      hint: 'page.lesson.unikat.swap.hint',
      praise: 'page.lesson.unikat.swap.praise',
    },
  },
  {
    scene: 'last',
    from: 0,
    text: 'page.lesson.unikat.last.text',
    asks: {
      judge: (_, { winners }) => when(winners.length > 0),
      hint: 'page.lesson.unikat.last.hint',
      praise: 'page.lesson.unikat.last.praise',
    },
  },
  { scene: 'last', from: 1, text: 'page.lesson.unikat.rounds.text' },
];

/** Pieces may be laid and taken off as one likes, until the card is solved. */
const solving = (scene: string, text: Key, praise: Key): UbongoStep => ({
  scene,
  from: 0,
  text,
  asks: { judge: (_, { solutions }) => (solutions.length ? 'done' : 'on'), praise },
});

export const UBONGO: readonly UbongoStep[] = [
  { scene: 'card', from: 0, text: 'page.lesson.ubongo.card.text' },
  solving('place', 'page.lesson.ubongo.place.text', 'page.lesson.ubongo.place.praise'),
  solving('turn', 'page.lesson.ubongo.turn.text', 'page.lesson.ubongo.turn.praise'),
  solving('solve', 'page.lesson.ubongo.solve.text', 'page.lesson.ubongo.solve.praise'),
  solving('race', 'page.lesson.ubongo.race.text', 'page.lesson.ubongo.race.praise'),
  solving('second_chance', 'page.lesson.ubongo.second.text', 'page.lesson.ubongo.second.praise'),
  { scene: 'second_chance', from: 1, text: 'page.lesson.ubongo.end.text' },
];
