/**
 * How large a cell can be, so that the card and the pieces beside or below it all have room. The
 * card matters most; pieces in the tray may be smaller, and grow when they are lifted.
 */

import type { Deal } from '../../../lib/wire';
import { boundingBox, orientations } from '../hexes';

export interface Size {
  width: number;
  height: number;
}

export interface Layout {
  beside: boolean;
  /** A cell's radius in pixels, on the card and in the tray. */
  unit: number;
  trayUnit: number;
  columns: number;
  rows: number;
  /** The size of a slot in the tray, in pixels. */
  slot: Size;
}

/** Around the area, in cell radii: the frame and a little of the card. */
export const CARD_MARGIN = 0.75;
const SLOT_GAP_PX = 6;
/** Upright pieces may reach a little over the border of their slot. */
const SLOT_OVERLAP = 0.95;
/** Sizes of the pieces in the tray, relative to those on the card. */
const TRAY_SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.55, 0.5];
/** Smaller cells are hard to make out in the tray: a scale below 0.6 mustn't make them so small. */
const LEGIBLE_UNIT_PX = 11;
const LEAST_SCALE_IF_SMALL = 0.6;
/** How much the size in the tray counts: at 0.6, the card must be a tenth larger to be worth it. */
const TRAY_WEIGHT = 0.2;
const LARGEST_UNIT_PX = 60;

/** `buttons`: the least room that the tray needs for them. */
export function computeLayout(deal: Deal, room: Size, buttons: Size): Layout {
  const area = boundingBox(deal.area);
  const card = { width: area.width + 2 * CARD_MARGIN, height: area.height + 2 * CARD_MARGIN };
  const boxes = Object.values(deal.pieces).flatMap((piece) => orientations(piece).map(boundingBox));
  const slot = {
    width: SLOT_OVERLAP * Math.max(...boxes.map(({ width }) => width)),
    height: SLOT_OVERLAP * Math.max(...boxes.map(({ height }) => height)),
  };
  const count = Object.keys(deal.pieces).length;
  let best: Layout | null = null;
  let bestScore = 0;
  for (const beside of [false, true])
    for (let columns = 1; columns <= count; columns++)
      for (const scale of TRAY_SCALES) {
        const rows = Math.ceil(count / columns);
        const tray = {
          width: columns * slot.width * scale,
          height: rows * slot.height * scale,
        };
        const gaps = { width: (columns + 1) * SLOT_GAP_PX + 8, height: (rows + 1) * SLOT_GAP_PX };
        const unit = Math.min(
          LARGEST_UNIT_PX,
          ...(beside
            ? [
                (room.width - gaps.width - 12) / (card.width + tray.width),
                (room.width - buttons.width - 12) / card.width,
                room.height / card.height,
                (room.height - buttons.height - gaps.height) / tray.height,
              ]
            : [
                room.width / card.width,
                (room.width - gaps.width) / tray.width,
                (room.height - buttons.height - gaps.height - 8) / (card.height + tray.height),
              ]),
        );
        const isLegible = scale >= LEAST_SCALE_IF_SMALL || unit * scale >= LEGIBLE_UNIT_PX;
        const score = unit * scale ** TRAY_WEIGHT;
        if (!isLegible || score <= bestScore) continue;
        bestScore = score;
        best = {
          beside,
          unit,
          trayUnit: unit * scale,
          columns,
          rows,
          slot: { width: slot.width * scale * unit, height: slot.height * scale * unit },
        };
      }
  return best ?? { beside: false, unit: 1, trayUnit: 1, columns: count, rows: 1, slot: room };
}
