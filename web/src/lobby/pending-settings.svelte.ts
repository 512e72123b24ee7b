/**
 * A table's settings on their way to the server. What was chosen counts at once: whoever changes a
 * second thing before the first answer would otherwise send the first one's old value with it.
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
      // What the server says counts again, unless something newer is under way.
      if (this.#chosen[part] === value) this.#chosen = { ...this.#chosen, [part]: undefined };
    }
  }
}
