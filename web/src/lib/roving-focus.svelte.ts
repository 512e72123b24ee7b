/** One of several elements is reached by Tab; arrow keys move from it to the others. */

export interface RovingItems<Item> {
  /** All items, in the order of the page. */
  items(): readonly Item[];
  /** Finds an item's element, and tells items apart. */
  selector(item: Item): string;
  /** The item that a key leads to; undefined: the key means something else, or leads nowhere. */
  next(from: Item, key: string): Item | undefined;
}

export class RovingFocus<Item> {
  readonly #source: RovingItems<Item>;
  #chosen: Item | null = $state.raw(null);
  #container: Element | null = null;

  constructor(source: RovingItems<Item>) {
    this.#source = source;
  }

  /** Attach to the element that contains the items. */
  readonly container = (element: Element): (() => void) => {
    this.#container = element;
    return () => (this.#container = null);
  };

  /** The item that Tab reaches: the last one used, if it's still there. */
  get current(): Item | undefined {
    const items = this.#source.items();
    const chosen = this.#chosen;
    if (chosen === null) return items[0];
    const selector = this.#source.selector(chosen);
    return items.find((item) => this.#source.selector(item) === selector) ?? items.at(-1);
  }

  set current(item: Item | undefined) {
    this.#chosen = item ?? null;
  }

  isCurrent(item: Item): boolean {
    const { current } = this;
    return current !== undefined && this.#source.selector(current) === this.#source.selector(item);
  }

  tabindex(item: Item): 0 | -1 {
    return this.isCurrent(item) ? 0 : -1;
  }

  /** Put the focus on an item. */
  focus(item: Item | undefined = this.current): void {
    if (item === undefined) return;
    this.current = item;
    this.#container
      ?.querySelector<HTMLElement | SVGElement>(this.#source.selector(item))
      ?.focus({ preventScroll: true });
  }

  readonly keydown = (event: KeyboardEvent): void => {
    const { current } = this;
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.#source.next(current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    this.focus(next);
  };
}

/** Arrow keys in a row that may be wrapped into lines; `wrap` joins its ends. */
export function nextInRow<Item>(
  items: readonly Item[],
  from: Item,
  key: string,
  { columns = 1, wrap = false } = {},
): Item | undefined {
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  if (by === undefined) return undefined;
  const to = items.indexOf(from) + by;
  return wrap ? items.at(to % items.length) : to < 0 ? undefined : items[to];
}
