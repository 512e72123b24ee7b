import { expect, test } from 'vitest';
import deck from '../../../../../src/pytlik/ubongo/standard.json';
import { boundingBox } from '../hexes';
import { listPuzzles, type Deck } from '../practice/puzzles';
import { layout } from './layout';

const SIDES = [3, 4] as const;
const deals = SIDES.flatMap((side) => listPuzzles(deck as unknown as Deck, side, 'hard'));

const BUTTONS_PX = 66;
/** Below the players of a table, and the whole screen beside them. */
const ROOMS = {
  'a small phone': { width: 340, height: 430 },
  'a phone': { width: 370, height: 600 },
  'a phone on its side': { width: 560, height: 300 },
  'a desk': { width: 1040, height: 800 },
};

test.each(Object.entries(ROOMS))('on %s everything fits, and pieces can be taken', (_, room) => {
  for (const deal of deals) {
    const { beside, unit, trayUnit, columns, rows, slot } = layout(deal, room, BUTTONS_PX);
    const area = boundingBox(deal.area);
    const card = { width: area.width * unit, height: area.height * unit };
    const tray = { width: columns * slot.width, height: rows * slot.height + BUTTONS_PX };
    expect(card.width + (beside ? tray.width : 0)).toBeLessThan(room.width);
    expect(card.height + (beside ? 0 : tray.height)).toBeLessThan(room.height);
    expect(tray.width).toBeLessThan(room.width);
    expect(tray.height).toBeLessThan(room.height);
    expect(trayUnit / unit).toBeGreaterThan(0.59);
    expect(trayUnit / unit).toBeLessThan(1.01);
    expect(Math.min(slot.width, slot.height)).toBeGreaterThan(44);
  }
});

test('on a small phone, smaller pieces in the tray make the card larger', () => {
  const sizes = deals.map((deal) => layout(deal, ROOMS['a small phone'], BUTTONS_PX));
  const smaller = sizes.filter(({ unit, trayUnit }) => trayUnit < 0.79 * unit);
  expect(smaller.length).toBeGreaterThan(sizes.length / 2);
});
