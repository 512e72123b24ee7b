/** The lesson of Ubongo, step by step. */

import type { Key } from '../../lib/i18n.svelte';
import { isTouchDevice } from '../../lib/touch-device';
import type { UbongoAction, UbongoView } from '../../lib/wire';
import type { LessonStep } from '../module';

type Step = LessonStep<UbongoView, UbongoAction>;

/** Pieces may be placed and lifted freely until the card is solved. */
const createSolvingStep = (scene: string, text: Key, praise: Key): Step => ({
  scene,
  actionsBefore: 0,
  text,
  asks: { judge: (_, { solutions }) => (solutions.length ? 'done' : 'continue'), praise },
});

export const steps: readonly Step[] = [
  { scene: 'card', actionsBefore: 0, text: 'page.lesson.ubongo.card.text' },
  createSolvingStep('place', 'page.lesson.ubongo.place.text', 'page.lesson.ubongo.place.praise'),
  createSolvingStep(
    'turn',
    'page.lesson.ubongo.turn.text',
    isTouchDevice() ? 'page.lesson.ubongo.turn.praise.touch' : 'page.lesson.ubongo.turn.praise',
  ),
  createSolvingStep('solve', 'page.lesson.ubongo.solve.text', 'page.lesson.ubongo.solve.praise'),
  createSolvingStep('race', 'page.lesson.ubongo.race.text', 'page.lesson.ubongo.race.praise'),
  createSolvingStep(
    'second_chance',
    'page.lesson.ubongo.second.text',
    'page.lesson.ubongo.second.praise',
  ),
  { scene: 'second_chance', actionsBefore: 1, text: 'page.lesson.ubongo.end.text' },
];

export const timed = true;
