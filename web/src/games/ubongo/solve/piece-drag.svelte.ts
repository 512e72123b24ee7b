/** A piece in the air, held by a finger or a mouse. */

import type { Shape } from '../../../lib/wire';
import type { PieceController } from './piece-controller.svelte';
import { boundingBox } from '../hexes';

/** In the air: with its middle at this place of the page's part. */
export interface AirbornePiece {
  piece: number;
  form: Shape;
  x: number;
  y: number;
}

interface DragContext {
  root: HTMLElement | undefined;
  drawing: SVGSVGElement | null;
  unit: number;
}

/** What moves less than this was meant as a tap. */
const TAP = 7;
/** A piece is so far above the finger that one sees all of it. */
const ABOVE = 34;

export class PieceDrag {
  #held: { piece: number; id: number; x: number; y: number; touch: boolean } | null = null;
  #pointer = { x: 0, y: 0 };
  air: AirbornePiece | null = $state.raw(null);
  readonly #hand: PieceController;
  readonly #around: () => DragContext;

  constructor(hand: PieceController, around: () => DragContext) {
    this.#hand = hand;
    this.#around = around;
  }

  readonly hold = (event: PointerEvent, piece: number): void => {
    if (event.button !== 0 || !this.#hand.card.active || this.#held) return;
    const touch = event.pointerType !== 'mouse';
    this.#held = { piece, id: event.pointerId, x: event.clientX, y: event.clientY, touch };
    this.#pointer = { x: event.clientX, y: event.clientY };
    // Touches are bound to where they began, which may be drawn anew while they move.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const held = this.#held;
    if (held?.id !== event.pointerId) return;
    this.#pointer = { x: event.clientX, y: event.clientY };
    if (!this.air && Math.hypot(event.clientX - held.x, event.clientY - held.y) < TAP) return;
    if (!this.air) {
      this.#hand.choose(held.piece);
      this.#hand.hovering = false;
    }
    this.refresh();
  };

  /** Show it as it is turned now, and where it would come to lie. */
  refresh(): void {
    const held = this.#held;
    if (!held || (!this.air && !this.#moved(held))) return;
    const { root, drawing, unit } = this.#around();
    const form = this.#hand.form(held.piece);
    const above = held.touch ? (boundingBox(form).height / 2) * unit + ABOVE : 0;
    const { x, y } = this.#pointer;
    const corner = root?.getBoundingClientRect() ?? { left: 0, top: 0 };
    this.air = { piece: held.piece, form, x: x - corner.left, y: y - above - corner.top };
    const matrix = drawing?.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(x, y - above).matrixTransform(matrix.inverse());
    this.#hand.hover(held.piece, form, [at.x, at.y]);
  }

  readonly drop = (event: PointerEvent): void => {
    const held = this.#held;
    if (held?.id !== event.pointerId) return;
    const ghost = this.#hand.dragged;
    const flown = this.air !== null;
    this.#end();
    if (!flown) {
      // Chosen now: after a quick flick browsers may send no click for the next tap.
      this.#hand.choose(held.piece);
      this.#hand.hovering = false;
      return;
    }
    // The click that follows would choose something else.
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50);
    if (ghost) this.#hand.put(held.piece, ghost.cells);
    else this.#hand.takeOff(held.piece);
  };

  readonly cancel = (event: PointerEvent): void => {
    if (this.#held?.id === event.pointerId) this.#end();
  };

  #moved({ x, y }: { x: number; y: number }): boolean {
    return Math.hypot(this.#pointer.x - x, this.#pointer.y - y) >= TAP;
  }

  #end(): void {
    this.#held = null;
    this.#hand.dragged = null;
    this.air = null;
  }
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
