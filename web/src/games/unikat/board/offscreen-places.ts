/** Places that are out of sight: on which side, and the nearest on each. */

import type { Cell } from '../../../lib/wire';
import { boundingBox, contains, visibleBox, type Camera, type Size } from './camera';

export type Side = 'left' | 'right' | 'up' | 'down';

export interface OffscreenPlace {
  side: Side;
  nearest: Cell;
}

/** How much of a cell may be missing before it counts as out of sight. */
const VISIBLE_MARGIN = -0.3;

export function nearestOffscreenPlaces(
  places: readonly Cell[],
  { camera, size }: { camera: Camera; size: Size },
): OffscreenPlace[] {
  if (!size.width) return [];
  const seen = visibleBox(camera, size);
  const found = new Map<Side, Cell>();
  const distanceToCamera = ([x, y]: Readonly<Cell>) => Math.hypot(x - camera.x, y - camera.y);
  for (const place of places) {
    if (contains(seen, boundingBox([place], VISIBLE_MARGIN))) continue;
    const side = sideOf(place, camera, size);
    const known = found.get(side);
    if (!known || distanceToCamera(place) < distanceToCamera(known)) found.set(side, place);
  }
  return [...found].map(([side, nearest]) => ({ side, nearest }));
}

/** The edge of the screen through which the way to a place leads. */
function sideOf([x, y]: Readonly<Cell>, camera: Camera, size: Size): Side {
  const [right, down] = [(x - camera.x) / size.width, (y - camera.y) / size.height];
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? 'right' : 'left';
  return down > 0 ? 'down' : 'up';
}
