import { describe, expect, it } from 'vitest';
import type { Hex, Shape } from '../../lib/wire';
import {
  boundingBox,
  cellAt,
  cellCentre,
  swapAxes,
  anchorCell,
  mirror,
  moveBy,
  normalize,
} from './hexes';
import { orientations, outlinePath, rotateOnce, rotate } from './hexes';
import vectors from './hexes.vectors.json';

const text = (shapes: Shape[]): string[] => shapes.map((shape) => JSON.stringify(shape)).sort();

describe('the grid matches the rules', () => {
  it.each(vectors)('$cells', (vector) => {
    const cells = vector.cells as Shape;
    expect(rotateOnce(cells)).toEqual(vector.turned);
    expect(swapAxes(cells)).toEqual(vector.flipped);
    expect(normalize(cells)).toEqual(vector.normal);
    expect(text(orientations(cells))).toEqual(text(vector.orientations as Shape[]));
  });
});

describe('turning and flipping a piece', () => {
  const piece: Shape = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
  ];

  it('six turns or two flips restore it', () => {
    expect(rotate(piece, 6)).toEqual(piece);
    expect(rotate(rotate(piece, 1), -1)).toEqual(piece);
    expect(mirror(mirror(piece))).toEqual(piece);
  });

  it('flipping keeps the top row on top', () => {
    const rows = (shape: Shape) => {
      const all = shape.map(([, r]) => r);
      return all.map((r) => r - Math.min(...all)).sort((one, two) => one - two);
    };
    expect(rows(mirror(piece))).toEqual(rows(piece));
  });
});

describe('in a drawing', () => {
  it('a cell is found at its centre and near it', () => {
    for (const cell of [
      [0, 0],
      [3, -2],
      [-4, 7],
    ] as Hex[]) {
      const [x, y] = cellCentre(cell);
      expect(cellAt([x, y])).toEqual(cell);
      expect(cellAt([x + 0.6, y - 0.4])).toEqual(cell);
    }
  });

  it('a piece is held by the cell nearest to its middle', () => {
    expect(
      anchorCell(
        moveBy(
          rotate(
            [
              [0, 0],
              [1, 0],
              [2, 0],
            ],
            0,
          ),
          [5, 5],
        ),
      ),
    ).toEqual([6, 5]);
  });

  it('an outline has one ring, and one more for each hole', () => {
    const hexagon: Shape = [
      [1, 0],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [0, -1],
      [1, -1],
    ];
    expect(outlinePath([[0, 0]]).match(/M/g)).toHaveLength(1);
    expect(outlinePath(hexagon).match(/M/g)).toHaveLength(2);
    expect(boundingBox([[0, 0]]).height).toBe(2);
  });
});
