/** Unikat on the page. */

import type { UnikatAction, UnikatEvent, UnikatOptions, UnikatView } from '../../lib/wire';
import { defineGame } from '../module';
import CoverArt from './CoverArt.svelte';
import './colours.css';
import GameIcon from './GameIcon.svelte';
import { standings } from './standings';

export const unikat = defineGame<UnikatView, UnikatAction, UnikatEvent, UnikatOptions>({
  name: 'unikat',
  CoverArt,
  GameIcon,
  Settings: () => import('./SkinChoice.svelte'),
  allowsSlowPlay: true,
  allowsSecondSeat: true,
  hasTurns: true,
  hasAids: true,
  hasCoach: true,

  // Between rounds all hands are open.
  hidesHands: ({ phase }) => phase !== 'over',
  points: ({ outcome, players, sheet }) =>
    outcome?.points ??
    Array.from({ length: players }, (_, seat) =>
      sheet.reduce((sum, row) => sum + (row.points[seat] ?? 0), 0),
    ),
  standings,
  longestChain: (events, seat) =>
    Math.max(
      0,
      ...events.map((event) =>
        event.kind === 'chain_laid' && event.seat === seat ? event.tiles.length : 0,
      ),
    ),

  table: () => import('./table/Table.svelte'),
  television: () => import('./table/Television.svelte'),
  setup: () => import('./setup'),
  replay: () => import('./replay'),
  lesson: () => import('./lesson'),
  rulesPage: () => import('./rules-page'),
  passAndPlaySetup: () => import('./pass-and-play/choices.svelte'),
  daily: () => import('./daily/Daily.svelte'),
  companion: () => import('./companion/Companion.svelte'),
});
