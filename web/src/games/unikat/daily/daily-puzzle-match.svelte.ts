/**
 * A puzzle of Unikat that is being played: to the game's table a match like any other, of one turn.
 * The server applies the rules to all actions so far.
 */

import { call } from '../../../connection/api';
import type { PlayableMatch } from '../../../connection/playable-match';
import type {
  DailyTurn,
  DailyUnikat,
  LayDailyBody,
  Placement,
  UnikatAction,
  UnikatEvent,
  UnikatView,
} from '../../../lib/wire';

type Listener = (events: readonly UnikatEvent[], view: UnikatView) => void;

export const laidChains = (actions: readonly UnikatAction[]): readonly (readonly Placement[])[] =>
  actions.flatMap((action) => (action.kind === 'lay' ? [action.tiles] : []));

export class DailyPuzzleMatch implements PlayableMatch<UnikatView, UnikatAction, UnikatEvent> {
  readonly info = null;
  readonly seat = 0;
  /** Counts the attempts, because each needs a new table. */
  attempts = $state(0);
  #view: UnikatView = $state.raw()!;
  #actionsSoFar: readonly UnikatAction[] = $state.raw([]);
  #listeners: readonly Listener[] = [];

  constructor(
    readonly daily: DailyUnikat,
    readonly onover: (turn: DailyTurn, laid: readonly (readonly Placement[])[]) => void,
  ) {
    this.restart();
  }

  get view(): UnikatView {
    return this.#view;
  }

  /** The actions so far, which can be started over. */
  get actionsSoFar(): readonly UnikatAction[] {
    return this.#actionsSoFar;
  }

  listenToEvents(listener: Listener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }

  async act(action: UnikatAction): Promise<void> {
    const { attempts } = this;
    const actions = [...this.#actionsSoFar, action];
    const turn = await this.#send(actions);
    // After starting over, ignore late answers, unless the turn is over: that counts.
    if (attempts !== this.attempts && !turn.over) return;
    this.#accept(turn, actions);
    for (const listener of this.#listeners) listener(turn.events, turn.view);
    if (turn.over) this.onover(turn, laidChains(this.#actionsSoFar));
  }

  /** Continue a turn that was interrupted. */
  async restore(actions: readonly UnikatAction[]): Promise<void> {
    if (actions.length) this.#accept(await this.#send(actions), actions);
  }

  #send(actions: readonly UnikatAction[]): Promise<DailyTurn> {
    const { day, grade } = this.daily;
    const body: LayDailyBody = { day, grade, actions: [...actions] as LayDailyBody['actions'] };
    return call<DailyTurn>('POST', '/daily/unikat/lay', body);
  }

  #accept(turn: DailyTurn, actions: readonly UnikatAction[]): void {
    this.#actionsSoFar = actions;
    this.#view = turn.view;
  }

  /** Start over, because nothing counts before the turn is over. */
  restart(): void {
    this.#actionsSoFar = [];
    this.#view = this.daily.view!;
    this.attempts += 1;
  }
}
