/** The server's clock, as far as this browser knows it. */

class Time {
  /** Milliseconds that the server's clock is ahead of ours. */
  #ahead = 0;
  #known = false;

  /** A message has come that was sent at this moment: the least delay is nearest to the truth. */
  heard(sent: number): void {
    const ahead = sent - Date.now();
    if (!this.#known || ahead > this.#ahead) this.#ahead = ahead;
    this.#known = true;
  }

  now(): number {
    return this.ofDevice(Date.now());
  }

  /** A moment of this device's clock, on the server's. */
  ofDevice(moment: number): number {
    return moment + this.#ahead;
  }
}

export const time = new Time();

/** Call something with the server's time before every frame, until what this returns is called. */
export function everyFrame(show: (now: number) => void): () => void {
  let frame = requestAnimationFrame(function next() {
    show(time.now());
    frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}
