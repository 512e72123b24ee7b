/**
 * A large part of the page is built in several steps, each in a task of its own. Built at once, it
 * would keep the browser of a slow phone from answering for too long.
 */

import { nextTask } from './next-task';

export class BuildSteps {
  /** How many steps have been taken; the component decides what is there after each. */
  done: number = $state(0);
  readonly #count: number;

  /** Call while a component is set up. */
  constructor(count: number) {
    this.#count = count;
    $effect(() => {
      if (this.complete) return;
      const next = this.done + 1;
      let isWanted = true;
      void nextTask().then(() => {
        if (isWanted) this.done = next;
      });
      return () => (isWanted = false);
    });
  }

  /** Whether all steps are done. Before that nothing is shown, so that nothing moves. */
  get complete(): boolean {
    return this.done >= this.#count;
  }
}
