/**
 * A lesson in progress: its step, and what the server's rules make of the learner's actions. To a
 * game's table it looks like any other match.
 */

import type { LessonStep } from '../../games/module';
import { call } from '../../connection/api';
import { EventListeners } from '../../connection/event-listeners';
import type { PlayableMatch } from '../../connection/playable-match';
import { settings } from '../../lib/settings.svelte';
import { playSound } from '../../lib/sounds';
import { serverClock } from '../../connection/server-clock';
import type { GameName, Lesson as Answer } from '../../lib/wire';

type StepFeedback = 'asking' | 'hint' | 'praise';

/** Between two demonstrated actions. */
const DEMONSTRATION_PAUSE_MS = 900;

export class Lesson<View, Action extends { kind: string }, Event> implements PlayableMatch<
  View,
  Action,
  Event
> {
  readonly info = null;
  readonly seat = 0;
  index = $state(0);
  feedback: StepFeedback = $state('asking');
  finished = $state(false);
  /** Counts the scenes that were set up, because each needs a new table. */
  scene = $state(0);
  busy = $state(false);
  #view: View | null = $state.raw(null);
  readonly #listeners = new EventListeners<View, Event>();
  #done: readonly Action[] = [];
  #example: readonly Action[] = [];
  #began = 0;

  constructor(
    readonly game: GameName,
    readonly steps: readonly LessonStep<View, Action>[],
    readonly timed: boolean,
  ) {}

  get step(): LessonStep<View, Action> {
    return this.steps[this.index]!;
  }

  get ready(): boolean {
    return this.#view !== null;
  }

  /** Only available once it's `ready`. */
  get view(): View {
    return this.#view!;
  }

  /** Whether there is nothing left to do in this step. */
  get isStepDone(): boolean {
    return !this.step.asks || this.feedback === 'praise';
  }

  listenToEvents(listener: (events: readonly Event[], view: View) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Go to a step. Within a scene, what was done in the step before stays. */
  async goTo(index: number): Promise<void> {
    if (index >= this.steps.length) {
      this.finished = true;
      playSound('win');
      return;
    }
    const before = this.step;
    const onwards = index === this.index + 1 && this.isStepDone && this.ready;
    const next = this.steps[index]!;
    if (!onwards || next.scene !== before.scene) await this.#setUpScene(next);
    this.finished = false;
    this.index = index;
    this.feedback = 'asking';
  }

  async act(action: Action): Promise<void> {
    // Giving up, or being ready for the next round, leads to the next step.
    if (action.kind === 'ready' || action.kind === 'give_up') return this.goTo(this.index + 1);
    const { asks } = this.step;
    const actions = [...this.#done, action];
    const answer = await this.#playScene(this.step.scene, actions);
    const after = answer.view as View;
    const judged =
      this.feedback === 'praise' ? 'wrong' : (asks?.judge(action, after) ?? 'continue');
    if (judged === 'wrong') {
      if (this.feedback !== 'praise') this.feedback = 'hint';
      playSound('wrong');
      return;
    }
    this.#done = actions;
    this.#view = after;
    this.#listeners.notify(answer.events as Event[], after);
    if (judged === 'done') this.feedback = 'praise';
  }

  /** Play the step's own example, for people who would rather watch. */
  async demonstrate(): Promise<void> {
    const { scene, actionsBefore } = this.step;
    if (this.busy) return;
    this.busy = true;
    try {
      const index = this.index;
      await this.#setUpScene(this.step);
      const actions = this.steps.some(
        (each) => each.scene === scene && each.actionsBefore > actionsBefore,
      )
        ? this.#example.slice(actionsBefore, actionsBefore + 1)
        : this.#example.slice(actionsBefore);
      for (const action of actions) {
        await new Promise((done) =>
          setTimeout(done, DEMONSTRATION_PAUSE_MS * Math.max(settings.durationScale, 0.3)),
        );
        if (this.index !== index) return;
        await this.act(action);
      }
    } finally {
      this.busy = false;
    }
  }

  async #setUpScene({ scene, actionsBefore }: LessonStep<View, Action>): Promise<void> {
    this.#began = 0;
    let answer = await this.#playScene(scene, []);
    this.#example = answer.example as unknown as Action[];
    this.#began = answer.began;
    this.#done = this.#example.slice(0, actionsBefore);
    if (actionsBefore) answer = await this.#playScene(scene, this.#done);
    this.#view = answer.view as View;
    this.feedback = 'asking';
    this.scene += 1;
  }

  async #playScene(scene: string, actions: readonly Action[]): Promise<Answer> {
    const began = this.timed && this.#began ? { began: this.#began } : {};
    const answer = await call<Answer>('POST', `/lessons/${this.game}`, {
      scene,
      actions,
      ...began,
    });
    serverClock.adjust(answer.now);
    return answer;
  }
}
