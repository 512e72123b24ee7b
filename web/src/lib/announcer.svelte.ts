/** What is said to whoever listens to the page instead of looking at it. */

class Speaker {
  /** Shown in a live region by App.svelte; what comes quickly one after the other is said together. */
  said: string = $state('');
  #waiting: string[] = [];
  #timer = 0;

  say(text: string): void {
    if (!text) return;
    this.#waiting.push(text);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.said = this.#waiting.join(' ');
      this.#waiting = [];
    }, 120);
  }
}

export const speaker = new Speaker();
