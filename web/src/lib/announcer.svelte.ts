/** Sentences for screen readers. App.svelte shows the current one in a live region. */

/** Sentences that follow each other this quickly are announced together. */
const GATHER_MS = 120;

class Announcer {
  text: string = $state('');
  #waiting: string[] = [];
  #timer = 0;

  say(sentence: string): void {
    if (!sentence) return;
    this.#waiting.push(sentence);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#announce(), GATHER_MS);
  }

  #announce(): void {
    const next = this.#waiting.join(' ');
    this.#waiting = [];
    // Screen readers stay silent if the text doesn't change, so a repetition gets a space.
    this.text = next === this.text ? `${next}\u00a0` : next;
  }
}

export const announcer = new Announcer();
