/**
 * A card that is being solved. At a table the server has the last word: a step is shown at once,
 * and kept until the view shows it too or the server refuses it. In practice there is no server.
 */

import type { Deal, Shape } from '../../../lib/wire';
import { sameCells } from '../hexes';
import type { Placed } from '../placement';

export interface PuzzleState {
  readonly deal: Deal;
  readonly placed: Placed;
  /** Whether pieces may be placed and lifted now. */
  readonly active: boolean;
  recordPlacement(piece: number, cells: Shape): void;
  lift(piece: number): void;
}

/** A card that nobody else has to know about. */
export class LocalPuzzle implements PuzzleState {
  placed: Placed = $state.raw({});
  active = $state(true);
  readonly deal: Deal;
  readonly #onChange: () => void;

  constructor(deal: Deal, onChange: () => void = () => undefined) {
    this.deal = deal;
    this.#onChange = onChange;
  }

  recordPlacement(piece: number, cells: Shape): void {
    this.placed = { ...this.placed, [piece]: cells };
    this.#onChange();
  }

  lift(piece: number): void {
    this.placed = withoutPiece(this.placed, piece);
    this.#onChange();
  }
}

function withoutPiece(placed: Placed, piece: number): Placed {
  return Object.fromEntries(Object.entries(placed).filter(([other]) => Number(other) !== piece));
}

interface RemoteTable {
  readonly deal: Deal;
  readonly placed: Placed;
  readonly active: boolean;
  place(piece: number, cells: Shape): Promise<unknown>;
  lift(piece: number): Promise<unknown>;
  onRefused(error: unknown): void;
}

/** A card at a table, a step ahead of the server. */
export class RemotePuzzle implements PuzzleState {
  readonly #table: RemoteTable;
  /** Steps that the server hasn't shown yet: a piece's cells, or null if it was lifted. */
  #unconfirmed: Readonly<Record<number, Shape | null>> = $state.raw({});

  readonly placed: Placed = $derived.by(() => {
    const all = Object.entries({ ...this.#table.placed, ...this.#unconfirmed });
    return Object.fromEntries(all.filter((entry): entry is [string, Shape] => entry[1] !== null));
  });

  constructor(table: RemoteTable) {
    this.#table = table;
  }

  get deal(): Deal {
    return this.#table.deal;
  }

  get active(): boolean {
    return this.#table.active;
  }

  recordPlacement(piece: number, cells: Shape): void {
    this.#send(piece, cells, this.#table.place(piece, cells));
  }

  lift(piece: number): void {
    this.#send(piece, null, this.#table.lift(piece));
  }

  /** Drop the steps that the newest view shows. */
  dropConfirmedSteps(): void {
    const open = Object.entries(this.#unconfirmed).filter(([piece, cells]) => {
      const shown = this.#table.placed[Number(piece)];
      return cells ? !shown || !sameCells(shown, cells) : shown !== undefined;
    });
    if (open.length < Object.keys(this.#unconfirmed).length)
      this.#unconfirmed = Object.fromEntries(open);
  }

  #send(piece: number, cells: Shape | null, done: Promise<unknown>): void {
    const step = cells && [...cells];
    this.#unconfirmed = { ...this.#unconfirmed, [piece]: step };
    done.catch((error: unknown) => {
      // A later step with the same piece waits for its own answer.
      if (this.#unconfirmed[piece] === step)
        this.#unconfirmed = Object.fromEntries(
          Object.entries(this.#unconfirmed).filter(([other]) => Number(other) !== piece),
        );
      this.#table.onRefused(error);
    });
  }
}
