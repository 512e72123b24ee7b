/** How cells of the board stand out: what was just laid, what is about to be, where tiles fit. */

import type { Cell, Placement, Tile } from '../../../lib/wire';
import type { CornerCell } from '../corner-cells';
import { cellKey, cellOf, type Clash } from '../placement';

export interface BoardMarks {
  /** The last turn: outlined and numbered. */
  latest: readonly Placement[];
  /** Where the turns before it laid something that may not have been seen yet. */
  recent: readonly Cell[];
  /** Put down, but not laid yet. */
  tentative: readonly Placement[];
  /** Which of the tentative tiles earn the bonus. */
  earnBonus: readonly boolean[];
  /** Whether tentative tiles are only shown, numbered in order. */
  numbered: boolean;
  /** Where a tile may go. */
  places: readonly Cell[];
  /** The tile that would go there. */
  ghost: Tile | null;
  /** The place under a dragged tile, or the one that a hint means. */
  target: Cell | null;
  clashes: readonly Clash[];
  corners: readonly CornerCell[];
}

export const NO_MARKS: BoardMarks = {
  latest: [],
  recent: [],
  tentative: [],
  earnBonus: [],
  numbered: false,
  places: [],
  ghost: null,
  target: null,
  clashes: [],
  corners: [],
};

export interface CellMark {
  /** In the last turn or the draft, from 0; null: without a number. */
  number: number | null;
  recent: boolean;
  tentative: boolean;
  earnsBonus: boolean;
  /** Whether a tile fits here, and which one would be put here. */
  fits: boolean;
  ghost: Tile | null;
  target: boolean;
  clash: Clash | null;
  corner: CornerCell | null;
}

export const UNMARKED: CellMark = {
  number: null,
  recent: false,
  tentative: false,
  earnsBonus: false,
  fits: false,
  ghost: null,
  target: false,
  clash: null,
  corner: null,
};

/** The marks of each cell that has any, by `cellKey`. */
export function markCells(marks: BoardMarks): ReadonlyMap<string, CellMark> {
  const found = new Map<string, CellMark>();
  const mark = (cell: Cell, change: Partial<CellMark>): void => {
    const key = cellKey(cell);
    found.set(key, { ...(found.get(key) ?? UNMARKED), ...change });
  };
  marks.latest.forEach((placed, number) => mark(cellOf(placed), { number }));
  for (const cell of marks.recent) mark(cell, { recent: true });
  marks.tentative.forEach((placed, index) =>
    mark(cellOf(placed), {
      tentative: true,
      earnsBonus: marks.earnBonus[index] ?? false,
      number: marks.numbered ? index : null,
    }),
  );
  for (const cell of marks.places) mark(cell, { fits: true, ghost: marks.ghost });
  for (const clash of marks.clashes) mark(clash.cell, { clash });
  for (const corner of marks.corners) mark(corner.cell, { corner });
  if (marks.target) mark(marks.target, { target: true });
  return found;
}
