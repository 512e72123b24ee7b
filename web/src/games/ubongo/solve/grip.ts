/** The point at which a finger or the mouse holds a piece until it lets go. */

import type { Shape } from '../../../lib/wire';
import { centroid, type Point } from '../hexes';

/** A piece that a pointer went down on, and how it's drawn there. */
export interface HeldPiece {
  piece: number;
  cells: Shape;
  drawing: SVGSVGElement;
}

/** From the piece's centroid to the pointer, in cell radii. */
export function measureGrip({ cells, drawing }: HeldPiece, down: PointerEvent): Point {
  const matrix = drawing.getScreenCTM();
  if (!matrix) return [0, 0];
  const { x, y } = new DOMPoint(down.clientX, down.clientY).matrixTransform(matrix.inverse());
  const from = centroid(cells);
  return [x - from[0], y - from[1]];
}
