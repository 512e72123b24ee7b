/**
 * A table's settings on their way to the server. A choice counts at once: otherwise a second one,
 * made before the first is answered, would send the old value of the first along.
 */

import type { TableInfo } from '../lib/wire';

type Settings = Pick<TableInfo, 'options' | 'agreement'>;
type Part = keyof Settings;

export class PendingSettings {
  /** The newest choice of each part that hasn't been answered. */
  #chosen: { [P in Part]?: Settings[P] | undefined } = $state.raw({});
  #queue: Promise<unknown> = Promise.resolve();
  readonly #send: { [P in Part]: (value: Settings[P]) => Promise<unknown> };

  constructor(send: { [P in Part]: (value: Settings[P]) => Promise<unknown> }) {
    this.#send = send;
  }

  /** The table as it will be when everything has arrived. */
  applyTo(info: TableInfo): TableInfo {
    const { options = info.options, agreement = info.agreement } = this.#chosen;
    return { ...info, options, agreement } as TableInfo;
  }

  /** Send a part after whatever is on its way. Throws what the server refuses. */
  async save<P extends Part>(part: P, value: Settings[P]): Promise<void> {
    this.#chosen = { ...this.#chosen, [part]: value };
    const sent = this.#queue.then(() => this.#send[part](value));
    this.#queue = sent.catch(() => undefined);
    try {
      await sent;
    } finally {
      // The server's value counts again, unless a newer choice is under way.
      if (this.#chosen[part] === value) this.#chosen = { ...this.#chosen, [part]: undefined };
    }
  }
}
