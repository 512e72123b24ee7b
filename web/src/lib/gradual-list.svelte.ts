/**
 * A list that appears piece by piece, each in a task of its own. Built at once, a long one would
 * keep the browser from answering for too long.
 */
export class GradualList<Item> {
  readonly #items: () => readonly Item[];
  #count: number = $state(0);

  /** Call while a component is set up. The first piece is there at once. */
  constructor(items: () => readonly Item[], perTask: number) {
    this.#items = items;
    this.#count = perTask;
    $effect(() => {
      if (this.#count === Infinity) return;
      // Once the whole list has been shown, additions appear at once.
      const count = this.#count < items().length ? this.#count + perTask : Infinity;
      const timer = setTimeout(() => (this.#count = count));
      return () => clearTimeout(timer);
    });
  }

  readonly shown: readonly Item[] = $derived.by(() => this.#items().slice(0, this.#count));
}
