import { expect, test } from 'vitest';
import { boundingBox } from '../hexes';
import { DIFFICULTIES, listPuzzles, loadDeck } from '../practice/puzzles';
import { CARD_MARGIN, computeLayout } from './layout';

const SIDES = [3, 4, 5] as const;
const all = await Promise.all(
  SIDES.map(async (side) => {
    const deck = await loadDeck(side);
    return DIFFICULTIES.flatMap((level) => listPuzzles(deck, side, level));
  }),
);
const deals = all.flat().filter((_, at) => at % 11 === 0);

const BUTTONS = { width: 270, height: 66 };
const SMALL_PHONE = { width: 340, height: 400 };

test.each([
  { ...SMALL_PHONE, least: 14 },
  { width: 370, height: 600, least: 23 },
  { width: 560, height: 300, least: 19 },
  { width: 748, height: 800, least: 32 },
  { width: 1040, height: 800, least: 46 },
])('everything fits in $width x $height, with a cell radius above $least pixels', (room) => {
  for (const deal of deals) {
    const { beside, unit, trayUnit, columns, rows, slot } = computeLayout(deal, room, BUTTONS);
    const area = boundingBox(deal.area);
    const card = { width: area.width * unit, height: area.height * unit };
    const tray = { width: columns * slot.width, height: rows * slot.height + BUTTONS.height };
    expect(card.width + (beside ? tray.width : 0)).toBeLessThan(room.width);
    expect(card.height + (beside ? 0 : tray.height)).toBeLessThan(room.height);
    expect(tray.width).toBeLessThan(room.width);
    expect(tray.height).toBeLessThan(room.height);
    expect(unit).toBeGreaterThan(room.least);
    expect(trayUnit / unit).toBeGreaterThan(trayUnit < 11 ? 0.59 : 0.49);
    expect(trayUnit / unit).toBeLessThan(1.01);
    expect(Math.min(slot.width, slot.height)).toBeGreaterThan(44);
  }
});

test('on a phone, puzzles fill most of the width on average', () => {
  const room = { width: 366, height: 650 };
  const fills = deals.map((deal) => {
    const { width } = boundingBox(deal.area);
    return ((width + 2 * CARD_MARGIN) * computeLayout(deal, room, BUTTONS).unit) / room.width;
  });
  expect(fills.reduce((sum, fill) => sum + fill) / fills.length).toBeGreaterThan(0.9);
});

test('on a small phone, smaller pieces in the tray make the card larger', () => {
  const sizes = deals.map((deal) => computeLayout(deal, SMALL_PHONE, BUTTONS));
  const smaller = sizes.filter(({ unit, trayUnit }) => trayUnit < 0.79 * unit);
  expect(smaller.length).toBeGreaterThan(sizes.length / 2);
});

test('beside the card there is room for the buttons, however long their labels are', () => {
  const room = { width: 560, height: 300 };
  for (const deal of deals) {
    const { beside, unit } = computeLayout(deal, room, { width: 380, height: 66 });
    const { width } = boundingBox(deal.area);
    expect(width * unit).toBeLessThan(room.width - (beside ? 380 : 0));
  }
});
