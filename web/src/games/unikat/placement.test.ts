import { describe, expect, it } from 'vitest';
import vectors from '../../../../tests/positions/unikat-places.json';
import type { Cell, Placement, Stone, Tile } from '../../lib/wire';
import {
  cellOf,
  findClashes,
  whichEarnBonus,
  boardMap,
  placesFor,
  refusalReason,
} from './placement';

interface Vector {
  board: Stone[];
  chain: Placement[];
  places: Record<Tile, Cell[]>;
  earns: boolean;
}

const inOrder = (cells: readonly Cell[]) =>
  [...cells].sort((one, other) => one[0] - other[0] || one[1] - other[1]);

describe("the rule matches the server's", () => {
  it.each(vectors as unknown as Vector[])('vector %#', ({ board, chain, places: all, earns }) => {
    const last = chain.at(-1);
    const table = boardMap(board, chain);
    for (const [tile, cells] of Object.entries(all)) {
      const found = placesFor(table, tile as Tile, last ? cellOf(last) : null);
      expect(inOrder(found)).toEqual(inOrder(cells));
    }
    expect(whichEarnBonus(board, chain).includes(true)).toBe(earns);
  });
});

describe('a refusal', () => {
  const table = boardMap([
    [0, 0, '0000'],
    [1, 0, '0001'],
  ]);

  it('tells an occupied place from a lone one and one beside the wrong tile', () => {
    expect(refusalReason(table, '0002', [0, 0], null)).toBe('occupied');
    expect(refusalReason(table, '0002', [5, 5], null)).toBe('touches_nothing');
    expect(refusalReason(table, '0002', [0, 1], [1, 0])).toBe('not_next_to_last');
    expect(refusalReason(table, '0002', [0, 1], [0, 0])).toBeNull();
  });

  it('names the neighbour and the features', () => {
    expect(refusalReason(table, '1100', [0, 1], null)).toBe('unlike_neighbour');
    expect(findClashes(table, '1100', [0, 1])).toEqual([
      { cell: [0, 0], tile: '0000', features: ['shape', 'colour'] },
    ]);
  });
});
