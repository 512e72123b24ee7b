/** Replaying a match of Unikat, with the coach's comments. */

import { settings } from '../../../lib/settings.svelte';
import type { UnikatEvent } from '../../../lib/wire';
import type { EventTextContext, GameReplay } from '../../module';
import { describeEvent } from '../describe-event';
import { UnikatCoach } from './unikat-coach.svelte';
import CoachComment from './CoachComment.svelte';
import CoachLine from './CoachLine.svelte';
import CoachPanel from './CoachPanel.svelte';

export { default as ReplayTable } from './ReplayTable.svelte';

/** A turn gets enough time to be seen. */
const MOMENT_SHOWN_MS = 1300;

export const timeline: GameReplay<never, UnikatEvent>['timeline'] = {
  roundStart: 'round_dealt',
  listed: ['chain_laid', 'tile_swapped', 'turn_passed'],
  shown: ['bonus_declined', 'tile_drawn'],
};

export const inTurns = true;

export const describe = (event: UnikatEvent, { names, you }: EventTextContext): string =>
  describeEvent(event, { names, you, skin: settings.skin });

export const momentDurationMs = (): number => MOMENT_SHOWN_MS;

export const coach = {
  create: (matchPath: string): UnikatCoach => new UnikatCoach(matchPath),
  Panel: CoachPanel,
  Comment: CoachComment,
  Line: CoachLine,
};
