import { describe, expect, it } from 'vitest';
import type { UnikatEvent } from '../../../lib/wire';
import { appendEvent, whoDiscarded, laidCells, turnsSince } from './round-turns';

const event = (what: object): UnikatEvent => what as UnikatEvent;

const laid = (seat: number, x: number) =>
  event({ kind: 'chain_laid', seat, tiles: [['0000', x, 0]] });
const swapped = (seat: number) =>
  event({ kind: 'tile_swapped', seat, give: '1111', take: {}, source: 'bag' });
const drawn = (seat: number) =>
  event({ kind: 'tile_drawn', seat, tile: '2222', source: 'display' });
const passed = (seat: number) => event({ kind: 'turn_passed', seat });
const ended = (seat: number) => event({ kind: 'turn_ended', seat, next: (seat + 1) % 3 });

const turnsOf = (...events: UnikatEvent[]) => events.reduce(appendEvent, []);
const kinds = (turns: ReturnType<typeof turnsOf>) =>
  turns.map(({ seat, done }) => [seat, ...done.map(({ kind }) => kind)]);

describe('what the others did', () => {
  const round = turnsOf(
    laid(0, 1), drawn(0), ended(0), swapped(1), ended(1), laid(2, 2), laid(2, 3), drawn(2), ended(2),
  ); // prettier-ignore

  it('is everything since our own turn', () => {
    expect(kinds(turnsSince(round, 0))).toEqual([
      [1, 'tile_swapped'],
      [2, 'chain_laid', 'chain_laid', 'tile_drawn'],
    ]);
    expect(kinds(turnsSince(round, 2))).toEqual([]);
  });

  it('is forgotten once we act', () => {
    expect(turnsSince(appendEvent(round, laid(0, 4)), 0)).toEqual([]);
  });

  it('includes a passed turn', () => {
    const both = turnsOf(passed(1), ended(1), swapped(1), ended(1));
    expect(kinds(turnsSince(both, 0))).toEqual([
      [1, 'turn_passed'],
      [1, 'tile_swapped'],
    ]);
  });

  it('points at the tiles that still lie there', () => {
    expect([...whoDiscarded(turnsSince(round, 0))]).toEqual([['1111', 1]]);
    expect(laidCells(turnsSince(round, 0))).toEqual([
      [2, 0],
      [3, 0],
    ]);
  });

  it('is kept for the last 40 turns', () => {
    const many = Array.from({ length: 100 }, (_, at) => [laid(at % 3, at), ended(at % 3)]).flat();
    expect(laidCells(turnsOf(...many)).map(([x]) => x)).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 60),
    );
  });

  it('ends with the round', () => {
    expect(appendEvent(round, event({ kind: 'round_dealt', round: 2 }))).toEqual([]);
  });
});
