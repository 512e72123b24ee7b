/**
 * What a player is about to do, before it's sent: a growing chain, or a swap. A chain can also be
 * planned while others think; what no longer fits after their moves goes back to the rack.
 */

import type { Cell, Placement, Reason, Take, Tile, UnikatView } from '../../../lib/wire';
import {
  cellKey,
  cellOf,
  findClashes,
  whichEarnBonus,
  boardMap,
  placesFor,
  refusalReason,
  sameCell,
  type Clash,
} from '../placement';

export interface Problem {
  reason: Reason;
  tile: Tile;
  cell: Cell;
  clashes: readonly Clash[];
}

export class Draft {
  /** The tile of the rack that is chosen. */
  chosen: Tile | null = $state(null);
  chain: readonly Placement[] = $state.raw([]);
  /** What a swap would take. */
  take: Take | null = $state(null);
  problem: Problem | null = $state.raw(null);

  readonly #view: () => UnikatView;

  constructor(view: () => UnikatView) {
    this.#view = view;
  }

  /** Whether another seat is to move: then a turn can be planned, but not played. */
  readonly isPlan = $derived.by(() => {
    const { seat, to_move, phase } = this.#view();
    return seat !== null && seat !== to_move && phase !== 'over';
  });
  /** Whether tiles may be put down at all. */
  readonly mayLay = $derived.by(
    () => this.isPlan || Object.keys(this.#view().choices.lay).length > 0,
  );
  readonly maySwap = $derived.by(() => this.#view().choices.swap && !this.chain.length);
  readonly table = $derived.by(() => boardMap(this.#view().board, this.chain));
  readonly places: readonly Cell[] = $derived.by(() =>
    this.chosen && this.mayLay ? this.placesOf(this.chosen) : [],
  );
  readonly earnBonus: readonly boolean[] = $derived.by(() =>
    whichEarnBonus(this.#view().board, this.chain).map(
      (earned) => earned && (this.isPlan || this.#view().phase === 'action'),
    ),
  );
  readonly earnsBonus = $derived.by(() => this.earnBonus.includes(true));
  /** The tiles that can be laid next. */
  readonly playable = $derived.by(() =>
    this.#view().hand.filter(
      (tile) => this.mayLay && !this.has(tile) && this.placesOf(tile).length > 0,
    ),
  );

  has(tile: Tile): boolean {
    return this.chain.some(([laid]) => laid === tile);
  }

  /** Where a tile may go next. The server decides about the first one, by the table's options. */
  placesOf(tile: Tile): readonly Cell[] {
    const last = this.chain.at(-1);
    if (!last && !this.isPlan) return this.#view().choices.lay[tile] ?? [];
    return placesFor(this.table, tile, last ? cellOf(last) : null);
  }

  choose(tile: Tile | null): void {
    this.problem = null;
    this.chosen = tile === this.chosen ? null : tile;
  }

  /** Put a tile somewhere if it fits; otherwise `problem` says why not. */
  place(tile: Tile, cell: Cell): boolean {
    this.problem = this.#problemWith(tile, cell);
    if (this.problem) return false;
    this.chain = [...this.chain, [tile, ...cell]];
    this.chosen = null;
    this.take = null;
    return true;
  }

  #problemWith(tile: Tile, cell: Cell): Problem | null {
    if (this.placesOf(tile).some((place) => sameCell(place, cell))) return null;
    const last = this.chain.at(-1);
    // Only the option by which an extra action continues the chain refuses more than the rule does.
    const reason =
      refusalReason(this.table, tile, cell, last ? cellOf(last) : null) ?? 'not_next_to_last';
    return { reason, tile, cell, clashes: findClashes(this.table, tile, cell) };
  }

  /** Take a tile back, along with later ones that don't fit without it. */
  takeBack(tile: Tile | undefined = this.chain.at(-1)?.[0]): void {
    const rest = this.chain.filter(([laid]) => laid !== tile);
    this.#rebuildChain(rest);
    this.problem = null;
  }

  #rebuildChain(chain: readonly Placement[]): void {
    this.chain = [];
    for (const placed of chain) {
      const cell = cellOf(placed);
      if (this.placesOf(placed[0]).some((place) => cellKey(place) === cellKey(cell))) {
        this.chain = [...this.chain, placed];
      }
    }
  }

  /** Drop whatever is no longer possible, after the view has changed. */
  dropImpossibleParts(): void {
    const { hand, choices } = this.#view();
    this.#rebuildChain(this.chain.filter(([tile]) => hand.includes(tile)));
    if (this.chosen && !hand.includes(this.chosen)) this.chosen = null;
    if (this.take && !(choices.swap && choices.take.includes(this.take))) this.take = null;
    this.problem = null;
  }

  /** Drop all choices; what lies on the board stays. */
  deselect(): void {
    this.chosen = this.take = this.problem = null;
  }

  clear(): void {
    this.deselect();
    this.chain = [];
  }
}
