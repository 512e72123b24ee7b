/** The coach during a replay: its advice, and what of it is shown on the board. */

import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import type { Advice, CoachedTurn } from '../../../lib/wire';
import type { Moment } from '../../../replay/timeline';
import type { ReplayCoach } from '../../module';
import { markTile, nameMarkedTiles } from '../tile-sentence';
import {
  betterAction,
  defaultView,
  fetchAdvice,
  biggestMissesOf,
  toPercent,
  seqBefore,
  turnAt,
  worstDecision,
  type CoachView,
} from './coach-advice';
import { describeActionInSentence } from './describe-action';

export class UnikatCoach implements ReplayCoach {
  /** Null until somebody asks. */
  request: Promise<Advice> | null = $state.raw(null);
  view: CoachView = $state('laid');
  #advice: Advice | null = $state.raw(null);
  /** The turn that decided the match for a seat; null: nobody asked for it. */
  #decisive: CoachedTurn | 'searching' | 'none' | null = $state.raw(null);

  constructor(readonly matchPath: string) {}

  requestAdvice(): void {
    this.request = fetchAdvice(this.matchPath);
    this.request.then((advice) => (this.#advice = advice)).catch(() => undefined);
  }

  async findBiggestMiss(seat: number | null): Promise<number | null> {
    if (seat !== null) this.#decisive = 'searching';
    this.requestAdvice();
    try {
      const advice = await this.request!;
      // A viewer who has moved on meanwhile isn't led back.
      if (seat === null || this.#decisive !== 'searching') return null;
      const [turn] = biggestMissesOf(advice, seat);
      this.#decisive = turn ?? 'none';
      if (turn) this.view = defaultView(turn);
      return turn?.seq ?? null;
    } catch (error) {
      this.#decisive = null;
      throw error;
    }
  }

  turnAt(moment: Moment): CoachedTurn | null {
    return this.#advice && turnAt(this.#advice, moment);
  }

  /** The turn that is shown as the coach would have played it; null: as it was played. */
  turnShownAsCoached(moment: Moment): CoachedTurn | null {
    return this.view === 'laid' ? null : this.turnAt(moment);
  }

  /** What the coach shows is drawn on the board as it was before the turn. */
  seqToShowAt(moment: Moment): number {
    const turn = this.turnShownAsCoached(moment);
    return turn ? seqBefore(turn, this.view) : moment.seq;
  }

  commentAt(moment: Moment): string | null {
    const marked = this.markedCommentAt(moment);
    return marked && nameMarkedTiles(marked, settings.skin);
  }

  /** The comment, with its tiles marked to be drawn. */
  markedCommentAt(moment: Moment): string | null {
    if (this.#decisive === 'searching') return t('page.coach.loading');
    if (this.#decisive === 'none') return t('page.coach.decided.none');
    const current = this.turnAt(moment);
    if (current && current === this.#decisive && this.view === defaultView(current))
      return t('page.coach.decided.better', {
        action: describeActionInSentence(betterAction(current), markTile),
      });
    const turn = this.view === 'better' ? current : null;
    const better = turn && worstDecision(turn)?.better;
    if (!better) return null;
    const chance = t('page.coach.better', { percent: toPercent(better.value) });
    return `${chance} ${describeActionInSentence(better.action, markTile)}`;
  }

  showAsPlayed(): void {
    this.view = 'laid';
    this.#decisive = null;
  }
}
