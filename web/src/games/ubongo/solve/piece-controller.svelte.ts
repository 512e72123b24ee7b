/** Solving a card: which piece is chosen, how each is turned, and where it would go. */

import { t } from '../../../lib/i18n.svelte';
import { settings } from '../../../lib/settings.svelte';
import { playSound } from '../../../lib/sounds';
import { announcer } from '../../../lib/announcer.svelte';
import { RovingFocus } from '../../../lib/roving-focus.svelte';
import { vibrate } from '../../../lib/vibration';
import type { Hex, Shape } from '../../../lib/wire';
import { nextCell } from './next-cell';
import type { PuzzleState } from './puzzle-state.svelte';
import {
  neighbours,
  cellAt,
  cellCentre,
  centroid,
  anchorCell,
  mirror,
  moveBy,
  cellKey,
  normalize,
  rotate,
  sameCells,
} from '../hexes';
import type { Point } from '../hexes';
import { findConflict, pieceAt, overlapsArea, type Placed } from '../placement';

export interface Ghost {
  piece: number;
  cells: Shape;
  fits: boolean;
}

/** A turn by sixths to the right, or a flip. */
interface TurnOrFlip {
  sixths: number;
  flipped: boolean;
}

type PlacementConflict = NonNullable<ReturnType<typeof findConflict>>;

const REFUSAL_SHOWN_MS = 1600;
/** Barely felt, like a click. */
const PLACED_VIBRATION_MS = 12;
/** Within this distance, a dragged piece snaps to a place where it fits, in cell radii. */
const SNAP_REACH = 1.25;

export class PieceController {
  readonly card: PuzzleState;
  /** The piece that is turned, and placed by a tap; one in the tray, unless another is picked. */
  chosen: number | null = $state(null);
  /** Which cell of the card the keyboard is at. */
  readonly focus: RovingFocus<Hex>;
  /** Whether the chosen piece is shown where the keyboard is. */
  hovering = $state(false);
  /** Where a finger or the mouse holds a piece: from its centroid, in cell radii. */
  grip: Point = [0, 0];
  /** Where a dragged piece would land. */
  dragged: Ghost | null = $state.raw(null);
  /** What just didn't fit, and why; shown for a moment. */
  refused: { why: PlacementConflict; ghost: Ghost } | null = $state.raw(null);
  /** The last turn or flip, so that it can be animated. */
  motion: ({ piece: number } & TurnOrFlip) | null = $state.raw(null);
  #forms: Readonly<Record<number, Shape>> = $state.raw({});
  /** What lay on the card at the last change. */
  #placed: Placed;

  constructor(card: PuzzleState) {
    this.card = card;
    this.#placed = card.placed;
    this.focus = new RovingFocus<Hex>({
      items: () => card.deal.area,
      selector: (cell) => `[data-cell="${cellKey(cell)}"]`,
      next: (from, key) => nextCell(card.deal.area, from, key) ?? undefined,
    });
    this.cursor = anchorCell(card.deal.area);
    this.chosen = this.#nextInTray();
  }

  get cursor(): Hex {
    return this.focus.current!;
  }

  set cursor(cell: Hex) {
    this.focus.current = cell;
  }

  get pieces(): number[] {
    return Object.keys(this.card.deal.pieces).map(Number);
  }

  /** How a piece is turned now. */
  currentForm(piece: number): Shape {
    const placed = this.card.placed[piece];
    return placed
      ? normalize(placed)
      : (this.#forms[piece] ?? normalize(this.card.deal.pieces[piece]!));
  }

  readonly ghost: Ghost | null = $derived.by(() => {
    if (this.dragged) return this.dragged;
    if (this.refused) return this.refused.ghost;
    if (!this.hovering || this.chosen === null || !this.card.active) return null;
    const cells = this.#cellsAt(this.chosen, this.cursor);
    const lying = this.card.placed[this.chosen];
    if (lying?.some((cell) => cellKey(cell) === cellKey(this.cursor))) return null;
    return {
      piece: this.chosen,
      cells,
      fits: findConflict(this.card, this.chosen, cells) === null,
    };
  });

  choose(piece: number): void {
    if (this.chosen !== piece) playSound('lift');
    this.chosen = piece;
    this.refused = null;
  }

  /** A tap on a piece: choose it, or turn it if it's chosen already. */
  tapPiece(piece: number): void {
    this.hovering = false;
    if (this.chosen === piece) this.turn(1);
    else this.choose(piece);
  }

  /** Follow a change of the placed pieces. If a hint placed the chosen one, choose the next. */
  onPlacedChanged(placed: Placed): void {
    const { chosen } = this;
    const wasPlaced = chosen !== null && chosen in placed && !(chosen in this.#placed);
    if (chosen === null || wasPlaced) this.chosen = this.#nextInTray(chosen ?? undefined);
    this.#placed = placed;
  }

  /** The next piece in the tray, to the right of another one; null: the tray is empty. */
  #nextInTray(after?: number): number | null {
    const { pieces } = this;
    const from = after === undefined ? 0 : pieces.indexOf(after) + 1;
    const inOrder = [...pieces.slice(from), ...pieces.slice(0, from)];
    return inOrder.find((piece) => !(piece in this.card.placed)) ?? null;
  }

  /** Turn the chosen piece by sixths: positive to the right, negative to the left. */
  turn(sixths: number): void {
    this.#turnOrFlip((form) => rotate(form, sixths), { sixths, flipped: false });
  }

  flip(): void {
    this.#turnOrFlip(mirror, { sixths: 0, flipped: true });
  }

  #turnOrFlip(change: (form: Shape) => Shape, how: TurnOrFlip): void {
    const piece = this.chosen;
    if (piece === null || !this.card.active) return;
    const lying = this.card.placed[piece];
    const form = change(this.currentForm(piece));
    this.#forms = { ...this.#forms, [piece]: form };
    this.grip = turnGrip(this.grip, how);
    this.motion = { piece, ...how };
    this.refused = null;
    if (lying) {
      // A placed piece is picked up to be turned, and hovers where it lay.
      this.cursor = anchorCell(lying);
      this.hovering = true;
      this.card.lift(piece);
    }
    playSound('lift');
  }

  /** Take a piece off the card, as it lies. */
  takeOff(piece = this.chosen): void {
    if (piece === null || !this.card.active) return;
    const lying = this.card.placed[piece];
    if (!lying) return;
    this.#forms = { ...this.#forms, [piece]: normalize(lying) };
    this.chosen = piece;
    this.hovering = false;
    this.refused = null;
    this.card.lift(piece);
    playSound('lift');
    announcer.say(t('page.ubongo.said.lifted', { piece }));
  }

  /** Put a piece somewhere, if it fits; otherwise say why not. */
  placeIfFits(piece: number, cells: Shape): boolean {
    if (!this.card.active) return false;
    const why = findConflict(this.card, piece, cells);
    if (why) {
      this.#refuse(why, { piece, cells, fits: false });
      return false;
    }
    this.hovering = false;
    this.refused = null;
    this.card.recordPlacement(piece, cells);
    this.chosen = this.#nextInTray(piece);
    playSound('lay');
    if (settings.durationScale) vibrate(PLACED_VIBRATION_MS);
    announcer.say(t('page.ubongo.said.placed', { piece }));
    if (this.chosen !== null) announcer.say(t('page.ubongo.said.next', { piece: this.chosen }));
    return true;
  }

  #refuse(why: PlacementConflict, ghost: Ghost): void {
    const refused = { why, ghost };
    this.refused = refused;
    window.setTimeout(() => {
      if (this.refused === refused) this.refused = null;
    }, REFUSAL_SHOWN_MS);
    playSound('wrong');
    announcer.say(t(`reason.${why}`));
  }

  /** Enter on a cell: put the chosen piece there, or choose the one that lies there. */
  activateCell(cell: Hex): void {
    const under = pieceAt(this.card.placed, cell);
    if (under !== null && (this.chosen === null || under === this.chosen || !this.hovering))
      this.choose(under);
    else if (this.chosen !== null) this.placeIfFits(this.chosen, this.#cellsAt(this.chosen, cell));
  }

  /** A tap on a free cell: cover it with the chosen piece in any way that fits. */
  tapCell(cell: Hex): void {
    const piece = this.chosen;
    if (piece === null) return;
    const form = this.currentForm(piece);
    const held = cellCentre(anchorCell(form));
    const distanceTo = (each: Hex) =>
      Math.hypot(cellCentre(each)[0] - held[0], cellCentre(each)[1] - held[1]);
    const ways = [...form]
      .sort((one, two) => distanceTo(one) - distanceTo(two))
      .map(([q, r]) => moveBy(form, [cell[0] - q, cell[1] - r]));
    const way = ways.find((cells) => findConflict(this.card, piece, cells) === null);
    if (way) this.placeIfFits(piece, way);
    else this.placeIfFits(piece, ways[0]!);
  }

  /** Find where a piece would land that is held over the card with its centroid at this point. */
  dragOver(piece: number, form: Shape, point: Point): void {
    const held = anchorCell(form);
    const [from, to] = [centroid(form), cellCentre(held)];
    const wanted: Point = [point[0] + to[0] - from[0], point[1] + to[1] - from[1]];
    const cell = cellAt(wanted);
    const distanceTo = (each: Hex) =>
      Math.hypot(cellCentre(each)[0] - wanted[0], cellCentre(each)[1] - wanted[1]);
    const near = [cell, ...neighbours(cell)].filter((each) => distanceTo(each) <= SNAP_REACH);
    near.sort((one, two) => distanceTo(one) - distanceTo(two));
    const cellsAt = (at: Hex) => moveBy(form, [at[0] - held[0], at[1] - held[1]]);
    const fitting = near.find((at) => findConflict(this.card, piece, cellsAt(at)) === null);
    const cells = cellsAt(fitting ?? cell);
    const fits = fitting !== undefined;
    if (!overlapsArea(this.card.deal, cells)) this.dragged = null;
    // Most movements stay within a cell, and then nothing has to be drawn.
    else if (this.dragged?.fits !== fits || !sameCells(this.dragged.cells, cells))
      this.dragged = { piece, cells, fits };
  }

  #cellsAt(piece: number, cell: Hex): Shape {
    const form = this.currentForm(piece);
    const held = anchorCell(form);
    return moveBy(form, [cell[0] - held[0], cell[1] - held[1]]);
  }
}

function turnGrip([x, y]: Point, { sixths, flipped }: TurnOrFlip): Point {
  if (flipped) return [-x, y];
  const [cos, sin] = [Math.cos((Math.PI / 3) * sixths), Math.sin((Math.PI / 3) * sixths)];
  return [x * cos - y * sin, x * sin + y * cos];
}
