/**
 * A puzzle of Unikat that is being played: for the game's table a match like any other, of one turn.
 * The server's rules say what becomes of what was done so far.
 */

import { call } from '../../../connection/api';
import type { Play } from '../../../connection/play';
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

export class DailyPlay implements Play<UnikatView, UnikatAction, UnikatEvent> {
  readonly info = null;
  readonly seat = 0;
  /** Counts the attempts, because each needs a new table. */
  begun = $state(0);
  #view: UnikatView = $state.raw()!;
  #done: readonly UnikatAction[] = $state.raw([]);
  #listeners: readonly Listener[] = [];

  constructor(
    readonly daily: DailyUnikat,
    readonly name: string,
    readonly onover: (turn: DailyTurn, laid: readonly (readonly Placement[])[]) => void,
  ) {
    this.restart();
  }

  get view(): UnikatView {
    return this.#view;
  }

  /** Whether anything has been done that can be started over. */
  get going(): boolean {
    return this.#done.length > 0;
  }

  onEvents(listener: Listener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }

  async act(action: UnikatAction): Promise<void> {
    const actions = [...this.#done, action] as LayDailyBody['actions'];
    const { day, grade } = this.daily;
    const body: LayDailyBody = { day, grade, name: this.name, actions };
    const turn = await call<DailyTurn>('POST', '/daily/unikat/lay', body);
    this.#done = actions;
    this.#view = turn.view;
    for (const listener of this.#listeners) listener(turn.events, turn.view);
    if (!turn.over) return;
    const laid = actions.flatMap((each) => (each.kind === 'lay' ? [each.tiles] : []));
    this.onover(turn, laid);
  }

  /** Start over: nothing counts before the turn is over. */
  restart(): void {
    this.#done = [];
    this.#view = this.daily.view!;
    this.begun += 1;
  }
}
