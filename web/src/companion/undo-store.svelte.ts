/**
 * A game kept in this browser, with the steps that led to it. It survives a reload, and every step
 * can be undone, even starting again.
 */

import { storage } from '../lib/storage';

/** The version of the stored data. Data of another version is ignored. */
const STORED_FORM_VERSION = 1;
/** A whole game of Ubongo has about 90 steps. */
const STEPS_KEPT = 120;

interface StoredSteps<State> {
  form: number;
  now: State | null;
  before: (State | null)[];
}

export class UndoStore<State> {
  /** null: no game has begun. */
  #current: State | null = $state.raw(null);
  #before: readonly (State | null)[] = $state.raw([]);

  constructor(
    readonly name: string,
    /** The state after undoing a step, if it isn't simply the one before. */
    readonly undoneState: (before: State, current: State) => State = (before) => before,
  ) {
    const kept = storage.get<Partial<StoredSteps<State>>>(`companion.${name}`, {});
    if (kept.form !== STORED_FORM_VERSION) return;
    this.#current = kept.now ?? null;
    this.#before = kept.before ?? [];
  }

  get current(): State | null {
    return this.#current;
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  /** Go on to a new state, as a step that can be undone. */
  advance(next: State | null): void {
    if (next === this.#current) return;
    this.#before = [...this.#before, this.#current].slice(-STEPS_KEPT);
    this.replace(next);
  }

  /** A change that isn't a step of its own: the sand, or a half-finished entry. */
  replace(next: State | null): void {
    this.#current = next;
    storage.set(`companion.${this.name}`, {
      form: STORED_FORM_VERSION,
      now: next,
      before: this.#before,
    });
  }

  undo(): void {
    const before = this.#before.at(-1);
    if (before === undefined) return;
    this.#before = this.#before.slice(0, -1);
    this.replace(before && this.#current ? this.undoneState(before, this.#current) : before);
  }
}
