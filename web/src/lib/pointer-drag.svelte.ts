/** Dragging something with a finger, a pen or the mouse. */

export interface Point {
  x: number;
  y: number;
}

export interface DragHandlers<Item> {
  /** How far above a finger the item is held, so that the finger doesn't hide it (px). */
  liftPx(item: Item): number;
  /** From the pointer to the item's middle (px). Without it, the middle is where the pointer is. */
  offset?(item: Item): Point;
  /** It has moved far enough to be a drag. */
  start(item: Item): void;
  /** The item's middle is at this point of the window now. */
  move(item: Item, point: Point): void;
  drop(item: Item, point: Point): void;
  /** It was let go without having moved. The click that follows is suppressed. */
  tap?(item: Item): void;
  /** While the item was in the air, another finger tapped on something. */
  tapByOtherFinger?(item: Item, on: EventTarget | null): void;
  /** However it ended. */
  end(): void;
}

/** A pointer that moves less than this is a tap. */
const TAP_SLACK_PX = 8;

export class PointerDrag<Item> {
  /** What is in the air. */
  item: Item | null = $state.raw(null);
  /** Its middle, in the window. */
  point: Point = $state.raw({ x: 0, y: 0 });
  readonly #handlers: DragHandlers<Item>;
  #held: { item: Item; touch: boolean; pointer: Point } | null = null;

  constructor(handlers: DragHandlers<Item>) {
    this.#handlers = handlers;
  }

  /** Call when a pointer goes down on an item. */
  grab(item: Item, down: PointerEvent): void {
    if (down.button > 0 || !down.isPrimary || this.#held) return;
    const start = { x: down.clientX, y: down.clientY };
    const held = { item, touch: down.pointerType !== 'mouse', pointer: start };
    this.#held = held;
    // A touch is bound to the element where it began, which may be replaced meanwhile.
    if (down.target instanceof Element && down.target.hasPointerCapture(down.pointerId))
      down.target.releasePointerCapture(down.pointerId);

    const listening = new AbortController();
    const options = { signal: listening.signal };
    let other: PointerEvent | null = null;
    const otherDown = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) other = event;
    };
    const otherUp = (event: PointerEvent) => {
      const pressed = other?.pointerId === event.pointerId ? other : null;
      other = null;
      if (!pressed || event.type !== 'pointerup' || distance(pressed, event) >= TAP_SLACK_PX)
        return;
      if (this.item === null || !this.#handlers.tapByOtherFinger) return;
      this.#handlers.tapByOtherFinger(item, pressed.target);
      swallowClick();
      this.refresh();
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      held.pointer = { x: event.clientX, y: event.clientY };
      if (this.item === null) {
        if (distance(down, event) < TAP_SLACK_PX) return;
        this.item = item;
        this.#handlers.start(item);
      }
      this.refresh();
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return otherUp(event);
      listening.abort();
      if (event.type === 'pointerup') {
        held.pointer = { x: event.clientX, y: event.clientY };
        this.refresh();
      }
      const wasDragged = this.item !== null;
      this.#held = this.item = null;
      if (event.type === 'pointerup') {
        if (wasDragged) this.#handlers.drop(item, this.point);
        else this.#handlers.tap?.(item);
        if (wasDragged || this.#handlers.tap) swallowClick();
      }
      this.#handlers.end();
    };
    addEventListener('pointerdown', otherDown, options);
    addEventListener('pointermove', move, options);
    addEventListener('pointerup', up, options);
    addEventListener('pointercancel', up, options);
  }

  /** Show the item again after it has changed during the drag. */
  refresh(): void {
    const held = this.#held;
    if (!held || this.item === null) return;
    const lift = held.touch ? this.#handlers.liftPx(held.item) : 0;
    const { x, y } = this.#handlers.offset?.(held.item) ?? { x: 0, y: 0 };
    this.point = { x: held.pointer.x + x, y: held.pointer.y + y - lift };
    this.#handlers.move(held.item, this.point);
  }
}

const distance = (one: PointerEvent, two: PointerEvent): number =>
  Math.hypot(two.clientX - one.clientX, two.clientY - one.clientY);

/** Suppress the click that browsers send after a press: any before the next press or key. */
function swallowClick(): void {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  const stop = () => listening.abort();
  const swallow = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
    stop();
  };
  addEventListener('click', swallow, options);
  addEventListener('pointerdown', stop, options);
  addEventListener('keydown', stop, options);
}
