/** The puzzle of the day: which kind, of which day, and the server's answer. */

import { call } from '../connection/api';
import { toasts } from '../lib/toasts.svelte';
import type { GameName } from '../lib/wire';
import { storage } from '../lib/storage';
import { serverClock } from '../connection/server-clock';

export class DailyPuzzleState<
  Answer extends { started: number | null },
  Kind extends string | number,
> {
  kind: Kind = $state()!;
  /** An earlier day; null: today. */
  day: string | null = $state(null);
  answer: Answer | null = $state.raw(null);
  /** Whether a request is under way. */
  busy = $state(false);

  constructor(
    readonly game: GameName,
    /** The server's name for the kinds. */
    readonly called: 'side' | 'grade',
    otherwise: Kind,
  ) {
    this.kind = storage.get(`daily.${called}`, otherwise);
    this.load();
  }

  readonly choose = (kind: Kind): void => {
    this.kind = kind;
    storage.set(`daily.${this.called}`, kind);
    this.load();
  };

  readonly lookAt = (day: string | null): void => {
    this.day = day;
    this.load();
  };

  load(): void {
    this.answer = null;
    void this.#ask(`?${this.called}=${this.kind}${this.day ? `&day=${this.day}` : ''}`);
  }

  /** Start the clock, unless it has been running since an earlier start. */
  async start(): Promise<void> {
    const fresh = this.answer?.started === null;
    await this.#ask('/start', { [this.called]: this.kind });
    if (fresh && this.answer?.started) serverClock.observe(this.answer.started);
  }

  async #ask(path: string, body?: object): Promise<void> {
    this.busy = true;
    try {
      this.answer = await call<Answer>(body ? 'POST' : 'GET', `/daily/${this.game}${path}`, body);
    } catch (error) {
      toasts.error(error);
    }
    this.busy = false;
  }
}
