import { expect, it } from 'vitest';
import { findHint } from './hint';
import { listPuzzles, loadDeck } from './puzzles';
import { solve } from './solver';

const SIDES = [3, 4, 5] as const;
const deals = (
  await Promise.all(
    SIDES.map(async (side) =>
      listPuzzles(await loadDeck(side), side, 'easy').filter((_, at) => at % 24 === 0),
    ),
  )
).flat();

it('hints one piece at a time until it is solved', () => {
  for (const deal of deals) {
    let placed = {};
    for (let step = 0; step < deal.side; step++) {
      const next = findHint(deal, placed, null);
      if (next?.kind !== 'place') throw new Error('a wrong piece, where there is none');
      placed = { ...placed, [next.piece]: next.cells };
    }
    expect(findHint(deal, placed, null)).toBeNull();
  }
});

it('first hints at a misplaced piece', () => {
  const deal = deals[0]!;
  const piece = Number(Object.keys(deal.pieces)[0]);
  const placed = { [piece]: deal.area.slice(0, deal.pieces[piece]!.length) };
  expect(findHint(deal, placed, null)).toEqual({ kind: 'lift', piece });
});

it('hints at the wanted piece, unless it is already placed', () => {
  const deal = deals[0]!;
  const right = solve(deal)!;
  const [first, second] = Object.keys(deal.pieces).map(Number) as [number, number];
  const place = (piece: number) => ({ kind: 'place', piece, cells: right[piece] });
  expect(findHint(deal, {}, second)).toEqual(place(second));
  expect(findHint(deal, { [second]: right[second]! }, second)).toEqual(place(first));
});
