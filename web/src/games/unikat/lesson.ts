/** The lesson of Unikat, step by step. */

import type { UnikatAction, UnikatView } from '../../lib/wire';
import type { Judgement, LessonStep } from '../module';

const doneIf = (right: boolean): Judgement => (right ? 'done' : 'wrong');

const tilesLaid = (action: UnikatAction): number =>
  action.kind === 'lay' ? action.tiles.length : 0;

export const steps: readonly LessonStep<UnikatView, UnikatAction>[] = [
  { scene: 'beside', actionsBefore: 0, text: 'page.lesson.unikat.tiles.text' },
  {
    scene: 'beside',
    actionsBefore: 0,
    text: 'page.lesson.unikat.beside.text',
    asks: {
      judge: (action) => doneIf(tilesLaid(action) > 0),
      hint: 'page.lesson.unikat.beside.hint',
      praise: 'page.lesson.unikat.beside.praise',
    },
  },
  {
    scene: 'chain',
    actionsBefore: 0,
    text: 'page.lesson.unikat.chain.text',
    asks: {
      judge: (action) => doneIf(tilesLaid(action) === 3),
      hint: 'page.lesson.unikat.chain.hint',
      praise: 'page.lesson.unikat.chain.praise',
    },
  },
  {
    scene: 'double',
    actionsBefore: 0,
    text: 'page.lesson.unikat.double.text',
    asks: {
      judge: (_, { phase }) => doneIf(phase === 'bonus'),
      hint: 'page.lesson.unikat.double.hint',
      praise: 'page.lesson.unikat.double.praise',
    },
  },
  {
    scene: 'double',
    actionsBefore: 1,
    text: 'page.lesson.unikat.extra.text',
    asks: {
      judge: ({ kind }) => doneIf(kind === 'lay' || kind === 'swap'),
      hint: 'page.lesson.unikat.extra.hint',
      praise: 'page.lesson.unikat.extra.praise',
    },
  },
  {
    scene: 'double',
    actionsBefore: 2,
    text: 'page.lesson.unikat.draw.text',
    asks: {
      judge: ({ kind }) => doneIf(kind === 'draw'),
      hint: 'page.lesson.unikat.draw.hint',
      praise: 'page.lesson.unikat.draw.praise',
    },
  },
  {
    scene: 'swap',
    actionsBefore: 0,
    text: 'page.lesson.unikat.swap.text',
    asks: {
      judge: ({ kind }) => doneIf(kind === 'swap'),
      hint: 'page.lesson.unikat.swap.hint',
      praise: 'page.lesson.unikat.swap.praise',
    },
  },
  {
    scene: 'last',
    actionsBefore: 0,
    text: 'page.lesson.unikat.last.text',
    asks: {
      judge: (_, { winners }) => doneIf(winners.length > 0),
      hint: 'page.lesson.unikat.last.hint',
      praise: 'page.lesson.unikat.last.praise',
    },
  },
  { scene: 'last', actionsBefore: 1, text: 'page.lesson.unikat.rounds.text' },
];

export const timed = false;
