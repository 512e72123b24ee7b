/** The line that says what is happening and what can be done. */

import { t } from '../../../lib/i18n.svelte';
import type { UnikatView } from '../../../lib/wire';
import type { Draft, Problem } from './draft.svelte';
import { tileName } from '../appearance';
import { listFeatureNames } from '../feature-names';
import type { Skin } from '../../../lib/settings.svelte';

export interface Status {
  text: string;
  tone: 'plain' | 'act' | 'gold' | 'wrong';
}

export function statusLine(
  view: UnikatView,
  draft: Draft,
  { names, playing, away }: { names: readonly string[]; playing: boolean; away: boolean },
): Status {
  if (draft.problem) return { text: shownReason(draft.problem), tone: 'wrong' };
  const { choices, phase } = view;
  if (!playing || view.to_move !== view.seat || phase === 'over')
    return waitingStatus(view, names[view.to_move] ?? '', away);
  // The last tile was laid, and the end is about to be shown.
  if (!view.hand.length) return { text: t('page.unikat.status.over'), tone: 'plain' };
  if (choices.draw) return { text: t('page.unikat.status.draw'), tone: 'act' };
  if (choices.pass) return { text: t('page.unikat.status.pass'), tone: 'act' };
  if (draft.earnsBonus) return { text: t('page.unikat.status.earned'), tone: 'gold' };
  if (draft.chosen) return { text: chosenTileText(draft), tone: 'act' };
  if (draft.take) return { text: t('page.unikat.status.give'), tone: 'act' };
  if (draft.chain.length) return { text: t('page.unikat.status.chain'), tone: 'act' };
  if (phase === 'bonus') return { text: t('page.unikat.status.bonus'), tone: 'gold' };
  if (!draft.mayLay) return { text: t('page.unikat.status.swap'), tone: 'act' };
  return { text: t('page.unikat.status.act'), tone: 'act' };
}

function chosenTileText(draft: Draft): string {
  const fits = draft.places.length > 0;
  if (draft.take) return t('page.unikat.status.sure');
  if (draft.maySwap)
    return t(fits ? 'page.unikat.status.layOrSwap' : 'page.unikat.status.onlySwap');
  return t(fits ? 'page.unikat.status.place' : 'page.unikat.status.nowhere');
}

/** `away`: the player to move isn't here, and no stand-in plays for them. */
function waitingStatus({ phase }: UnikatView, name: string, away: boolean): Status {
  const fill = { name };
  if (away && phase !== 'over')
    return { text: t('page.unikat.over.waiting', { names: name }), tone: 'plain' };
  switch (phase) {
    case 'action':
      return { text: t('page.unikat.status.thinks', fill), tone: 'plain' };
    case 'bonus':
      return { text: t('page.unikat.status.doubles', fill), tone: 'plain' };
    case 'draw':
      return { text: t('page.unikat.status.draws', fill), tone: 'plain' };
    case 'over':
      return { text: t('page.unikat.status.over'), tone: 'plain' };
  }
}

/** Why a tile doesn't fit, for players who see which neighbour is meant. */
function shownReason({ reason, clashes }: Problem): string {
  const [first] = clashes;
  if (reason !== 'unlike_neighbour' || !first) return t(`reason.${reason}`);
  return t('page.unikat.status.clash', { features: listFeatureNames(first.features) });
}

/** Why a tile doesn't fit, with both tiles in words, for screen readers. */
export function spokenReason(problem: Problem, skin: Skin): string {
  const [first] = problem.clashes;
  if (problem.reason !== 'unlike_neighbour' || !first) return shownReason(problem);
  return t('page.unikat.clash', {
    tile: tileName(problem.tile, skin),
    neighbour: tileName(first.tile, skin),
    features: listFeatureNames(first.features),
  });
}
