/** The server's clock, as far as this browser can tell. */

class ServerClock {
  /** Milliseconds that the server's clock is ahead of this device's. */
  #aheadMs = 0;
  #known = false;

  /** Learn from the time a message was sent. The one with the least delay is the most accurate. */
  adjust(sentAt: number): void {
    const ahead = sentAt - Date.now();
    if (!this.#known || ahead > this.#aheadMs) this.#aheadMs = ahead;
    this.#known = true;
  }

  now(): number {
    return this.toServerTime(Date.now());
  }

  /** Convert a moment of this device's clock. */
  toServerTime(moment: number): number {
    return moment + this.#aheadMs;
  }
}

export const serverClock = new ServerClock();

/**
 * Whole seconds until a moment. Rounded, because the server's clock isn't known to the millisecond:
 * ten minutes must not begin with 10:01.
 */
export const secondsUntil = (moment: number, now: number): number =>
  Math.max(0, Math.round((moment - now) / 1000));

/**
 * Call back with the server's time now and whenever it reaches another whole second before or after
 * a moment. Returns a function that stops it.
 */
export function runEverySecondAlignedTo(
  moment: number,
  callback: (now: number) => void,
): () => void {
  let timer = 0;
  const tick = (): void => {
    const now = serverClock.now();
    callback(now);
    const intoSecond = (((now - moment) % 1000) + 1000) % 1000;
    timer = window.setTimeout(tick, 1000 - intoSecond);
  };
  tick();
  return () => clearTimeout(timer);
}

/** Call back once the server's clock has reached a moment. Returns a function that cancels it. */
export function runAt(moment: number, callback: () => void): () => void {
  let timer = 0;
  const check = (): void => {
    const left = moment - serverClock.now();
    if (left > 0) timer = window.setTimeout(check, left);
    else callback();
  };
  timer = window.setTimeout(check);
  return () => clearTimeout(timer);
}
