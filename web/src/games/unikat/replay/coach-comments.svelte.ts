/** The coach during a replay: what it said, and what of it is shown on the board. */

import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import type { Advice, CoachedTurn } from '../../../lib/wire';
import type { Moment } from '../../../replay/timeline';
import type { ReplayCoach } from '../../module';
import {
  describeAction,
  fetchAdvice,
  percent,
  seqBefore,
  turnAt,
  worstDecision,
  type CoachView,
} from './coach';

export class Coach implements ReplayCoach {
  /** Null until somebody asks. */
  request: Promise<Advice> | null = $state.raw(null);
  view: CoachView = $state('laid');
  #advice: Advice | null = $state.raw(null);

  constructor(readonly matchPath: string) {}

  ask(): void {
    this.request = fetchAdvice(this.matchPath);
    this.request.then((advice) => (this.#advice = advice)).catch(() => undefined);
  }

  turnAt(moment: Moment): CoachedTurn | null {
    return this.#advice && turnAt(this.#advice, moment);
  }

  /** The turn that is shown as the coach would have played it; null: as it was played. */
  shownTurn(moment: Moment): CoachedTurn | null {
    return this.view === 'laid' ? null : this.turnAt(moment);
  }

  /** What the coach shows lies on the board as it was before the turn. */
  seqAt(moment: Moment): number {
    const turn = this.shownTurn(moment);
    return turn ? seqBefore(turn, this.view) : moment.seq;
  }

  commentAt(moment: Moment): string | null {
    const turn = this.view === 'better' ? this.turnAt(moment) : null;
    const better = turn && worstDecision(turn)?.better;
    if (!better) return null;
    const chance = t('page.coach.better', { percent: percent(better.value) });
    return `${chance} ${describeAction(better.action, settings.skin)}`;
  }

  reset(): void {
    this.view = 'laid';
  }
}
