/** Ubongo Extreme on the page. */

import type { UbongoAction, UbongoEvent, UbongoOptions, UbongoView } from '../../lib/wire';
import { defineGame } from '../module';
import CoverArt from './CoverArt.svelte';
import './colours.css';
import GameIcon from './GameIcon.svelte';
import { standings } from './standings';

/** Load the rules and the deck that the figures draw, so that nothing moves once they're shown. */
async function loadRulesPage() {
  const [rules, { loadDeck }] = await Promise.all([
    import('./rules-page'),
    import('./practice/puzzles'),
  ]);
  await loadDeck(3);
  return rules;
}

export const ubongo = defineGame<UbongoView, UbongoAction, UbongoEvent, UbongoOptions>({
  name: 'ubongo',
  CoverArt,
  GameIcon,
  allowsSlowPlay: false,
  allowsSecondSeat: false,
  // A race makes sounds of its own.
  hasTurns: false,
  hasAids: false,
  hasCoach: false,

  hidesHands: () => false,
  points: ({ outcome, points }) => outcome?.points ?? points,
  standings,

  table: () => import('./table/Table.svelte'),
  television: () => import('./table/Television.svelte'),
  setup: () => import('./setup'),
  replay: () => import('./replay'),
  lesson: () => import('./lesson'),
  rulesPage: loadRulesPage,
  passAndPlay: {
    appliesTo: (info, yours) =>
      yours.length > 1 &&
      yours.length === info.chairs.length &&
      'same_puzzle' in info.options &&
      info.options.same_puzzle &&
      info.options.seconds === null,
    table: () => import('./pass-and-play/PassAndPlayTable.svelte'),
  },
  passAndPlaySetup: () => import('./pass-and-play/choices.svelte'),
  daily: () => import('./daily/Daily.svelte'),
  companion: () => import('./companion/Companion.svelte'),
  practice: () => import('./practice/Practice.svelte'),
});
