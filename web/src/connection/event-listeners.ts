/** Who listens to the events of a PlayableMatch that isn't a connection. */

type EventListener<View, Event> = (events: readonly Event[], view: View) => void;

export class EventListeners<View, Event> {
  #listeners: readonly EventListener<View, Event>[] = [];

  /** Returns a function that removes it. */
  add(listener: EventListener<View, Event>): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }

  notify(events: readonly Event[], view: View): void {
    for (const listener of this.#listeners) listener(events, view);
  }
}
