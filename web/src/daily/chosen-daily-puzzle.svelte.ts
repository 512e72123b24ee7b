/**
 * Which puzzle of the day is shown, what the server says about it, and the days that were solved
 * here. The progress of a solution is kept by each game's own Daily component.
 */

import { call } from '../connection/api';
import { settings } from '../lib/settings.svelte';
import { toasts } from '../lib/toasts.svelte';
import type { GameName } from '../lib/wire';
import { storage } from '../lib/storage';
import { serverClock } from '../connection/server-clock';
import { saveDailyPlace } from '../record/stored-record';
import { ownResult, type DailyAnswer } from './results';
import { markSolved, loadSolvedDays } from './solved-days';

/** Whether a name was ever put on a leaderboard here: then it's put on the next one as well. */
export const NAMED_ON_BOARD_KEY = 'daily.onBoard';

export class ChosenDailyPuzzle<Answer extends DailyAnswer, Kind extends string | number> {
  kind: Kind = $state()!;
  /** An earlier day; null: today. */
  day: string | null = $state(null);
  #answer: Answer | null = $state.raw(null);
  /** The days that were solved in this browser. */
  solved: ReadonlySet<string> = $state.raw(new Set<string>());
  /** Whether a request is under way. */
  busy = $state(false);
  /** Counts the puzzles chosen, so that late answers about earlier ones are ignored. */
  #choices = 0;

  constructor(
    readonly game: GameName,
    /** The server's name for the kinds. */
    readonly kindParameter: 'side' | 'grade',
    defaultKind: Kind,
  ) {
    this.kind = storage.get(`daily.${kindParameter}`, defaultKind);
    this.solved = loadSolvedDays(game);
    this.load();
  }

  get answer(): Answer | null {
    return this.#answer;
  }

  readonly chooseKind = (kind: Kind): void => {
    this.kind = kind;
    storage.set(`daily.${this.kindParameter}`, kind);
    this.load();
  };

  readonly chooseDay = (day: string | null): void => {
    this.day = day;
    this.load();
  };

  load(): void {
    this.#answer = null;
    this.#choices += 1;
    void this.#request(`?${this.kindParameter}=${this.kind}${this.day ? `&day=${this.day}` : ''}`);
  }

  /** Start the clock, unless it has been running since an earlier start. */
  async start(): Promise<void> {
    const fresh = this.#answer?.started === null;
    await this.#request('/start', { [this.kindParameter]: this.kind });
    if (fresh && this.#answer?.started) serverClock.adjust(this.#answer.started);
  }

  showAndRecordAnswer(answer: Answer): void {
    this.#answer = answer;
    const mine = ownResult(answer.results);
    if (!mine) return;
    const { game, kind } = this;
    const { day, ranked } = answer;
    const { place } = mine;
    if (place !== null) saveDailyPlace({ game, day, kind: String(kind), place, ranked });
    markSolved(game, day);
    this.solved = loadSolvedDays(this.game);
  }

  /** Show a new result. If an earlier one was put on a leaderboard, put this one on it, too. */
  async showResultAndPutOnBoard(answer: Answer): Promise<void> {
    this.showAndRecordAnswer(answer);
    const { name } = settings.chosen;
    const isRanked = ownResult(answer.results)?.place != null;
    if (name && isRanked && storage.get(NAMED_ON_BOARD_KEY, false)) await this.putNameOnBoard(name);
  }

  /** Put the result on the leaderboard. */
  readonly putNameOnBoard = async (name: string): Promise<void> => {
    const day = this.#answer?.day;
    if (!(await this.#request('/name', { day, [this.kindParameter]: this.kind, name }))) return;
    settings.set('name', name);
    storage.set(NAMED_ON_BOARD_KEY, true);
  };

  /** Show the server's answer, unless another puzzle was chosen. Returns whether it succeeded. */
  async #request(path: string, body?: object): Promise<boolean> {
    const choice = this.#choices;
    const isChosen = () => choice === this.#choices;
    this.busy = true;
    try {
      const method = body ? 'POST' : 'GET';
      const answer = await call<Answer>(method, `/daily/${this.game}${path}`, body);
      if (isChosen()) this.showAndRecordAnswer(answer);
      return true;
    } catch (error) {
      if (isChosen()) toasts.error(error);
      return false;
    } finally {
      if (isChosen()) this.busy = false;
    }
  }
}
