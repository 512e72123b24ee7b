/** Moving over a card's cells by arrow keys. */

import type { Hex } from '../../../lib/wire';
import { cellCentre, nearestOf } from '../hexes';

export const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next cell in a direction; in another row, the one nearest to straight ahead. */
export function nextCell(area: readonly Hex[], from: Hex, key: string): Hex | null {
  const [dx, dy] = ARROWS[key] ?? [0, 0];
  const [x, y] = cellCentre(from);
  const ahead = area.filter((cell) => {
    const [cx, cy] = cellCentre(cell);
    return dy ? (cy - y) * dy > 0.1 : Math.abs(cy - y) < 0.1 && (cx - x) * dx > 0.1;
  });
  if (!ahead.length) return null;
  const rows = ahead.map((cell) => Math.abs(cellCentre(cell)[1] - y));
  const next = ahead.filter((_, at) => rows[at] === Math.min(...rows));
  // Going straight up or down leans to the right and to the left alternately.
  const lean = dy && from[1] % 2 ? -0.1 : 0.1;
  return nearestOf(next, [x + (dy ? lean : 0), cellCentre(next[0]!)[1]]);
}
