/** Things on their way from one place of the window to another. FlightLayer shows them. */

export interface Flight<Item> {
  id: number;
  item: Item;
  from: DOMRect;
  to: DOMRect;
  durationMs: number;
  delayMs: number;
  /** Along an arc, growing in its middle. */
  arc: boolean;
  land: () => void;
}

export interface FlightOptions {
  durationMs: number;
  delayMs?: number;
  arc?: boolean;
}

export class Flights<Item> {
  inTheAir: readonly Flight<Item>[] = $state.raw([]);
  #lastId = 0;

  /** Let something fly. Resolves when it has landed, or when the layer is gone. */
  fly(
    item: Item,
    from: DOMRect,
    to: DOMRect,
    { durationMs, delayMs = 0, arc = false }: FlightOptions,
  ): Promise<void> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const land = () => {
        this.inTheAir = this.inTheAir.filter((flight) => flight.id !== id);
        resolve();
      };
      const flight = { id, item, from, to, durationMs, delayMs, arc, land };
      this.inTheAir = [...this.inTheAir, flight];
    });
  }
}
