/** The help that a player has switched on, and the order of their rack; kept in this browser. */

import { storage } from '../../../lib/storage';
import type { RackOrder } from './sort-rack';
import type { Aid } from './table-props';

interface AidChoices {
  on: Readonly<Record<Aid, boolean>>;
  order: RackOrder;
}

const DEFAULTS: AidChoices = {
  on: { places: true, corners: false, hint: false, seen: true },
  order: 'taken',
};

/** What was stored, with defaults for what an older version of the page didn't know. */
function readChoices(): AidChoices {
  const stored = storage.get<Partial<AidChoices>>('unikat', {});
  return { ...DEFAULTS, ...stored, on: { ...DEFAULTS.on, ...stored.on } };
}

export class Aids {
  #chosen: AidChoices = $state.raw(readChoices());

  readonly isOn = (aid: Aid): boolean => this.#chosen.on[aid];

  switch(aid: Aid, to: boolean): void {
    this.#set({ on: { ...this.#chosen.on, [aid]: to } });
  }

  get order(): RackOrder {
    return this.#chosen.order;
  }

  setOrder(order: RackOrder): void {
    this.#set({ order });
  }

  #set(change: Partial<AidChoices>): void {
    this.#chosen = { ...this.#chosen, ...change };
    storage.set('unikat', this.#chosen);
  }
}

export const aids = new Aids();
