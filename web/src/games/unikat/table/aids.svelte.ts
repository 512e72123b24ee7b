/** What a player has switched on for themselves, and how their rack is sorted; it lasts. */

import { storage } from '../../../lib/storage';
import type { Order } from './rack-order';
import type { Aid } from './table-props';

interface Chosen {
  on: Readonly<Record<Aid, boolean>>;
  order: Order;
}

const USUAL: Chosen = {
  on: { places: true, corners: false, hint: false, seen: true },
  order: 'taken',
};

class Aids {
  #chosen: Chosen = $state.raw({ ...USUAL, ...storage.get<Partial<Chosen>>('unikat', {}) });

  readonly on = (aid: Aid): boolean => this.#chosen.on[aid];

  switch(aid: Aid, to: boolean): void {
    this.#set({ on: { ...this.#chosen.on, [aid]: to } });
  }

  get order(): Order {
    return this.#chosen.order;
  }

  sort(order: Order): void {
    this.#set({ order });
  }

  #set(change: Partial<Chosen>): void {
    this.#chosen = { ...this.#chosen, ...change };
    storage.set('unikat', this.#chosen);
  }
}

export const aids = new Aids();
