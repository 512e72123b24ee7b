import { describe, expect, it } from 'vitest';
import type { Cell, Stone, Tile, UnikatView } from '../../../lib/wire';
import { Draft } from './draft.svelte';
import { boardMap, placesFor } from '../placement';

function view(board: Stone[], hand: Tile[], change: Partial<UnikatView> = {}): UnikatView {
  const table = boardMap(board);
  const lay = Object.fromEntries(hand.map((tile) => [tile, placesFor(table, tile, null)]));
  const choices = { lay, swap: true, take: ['2222', 'bag'] };
  return { board, hand, phase: 'action', choices, ...change } as unknown as UnikatView;
}

const START: Stone[] = [[0, 0, '0000']];
const laid = (draft: Draft) => draft.chain.map(([tile]) => tile);

function chain(draft: Draft, ...steps: [Tile, Cell][]): void {
  for (const [tile, cell] of steps) expect(draft.place(tile, cell)).toBe(true);
}

describe('a chain before it is sent', () => {
  it('grows from the tile laid last', () => {
    const draft = new Draft(() => view(START, ['0001', '0002', '0011']));
    chain(draft, ['0001', [1, 0]], ['0011', [2, 0]]);
    expect(draft.place('0002', [0, 1])).toBe(false);
    expect(draft.problem?.reason).toBe('not_next_to_last');
    expect(laid(draft)).toEqual(['0001', '0011']);
  });

  it('says which neighbour a tile clashes with', () => {
    const draft = new Draft(() => view(START, ['0011']));
    expect(draft.place('0011', [1, 0])).toBe(false);
    expect(draft.problem?.clashes).toEqual([
      { cell: [0, 0], tile: '0000', features: ['size', 'background'] },
    ]);
  });

  it('can be planned while others think, and keeps what still fits after their moves', () => {
    const others = { seat: 0, to_move: 1, choices: { lay: {}, swap: false, take: [] } };
    const hand: Tile[] = ['0001', '0011', '0002'];
    let now = view(START, hand, others as unknown as Partial<UnikatView>);
    const draft = new Draft(() => now);
    expect(draft.isPlan).toBe(true);
    expect(draft.place('0011', [1, 0])).toBe(false);
    chain(draft, ['0001', [1, 0]], ['0011', [2, 0]]);
    expect(draft.maySwap).toBe(false);
    now = view([...START, [2, 1, '1011']], hand, { seat: 0, to_move: 0 });
    const mine = new Draft(() => now);
    mine.chain = draft.chain;
    mine.dropImpossibleParts();
    expect(mine.isPlan).toBe(false);
    expect(laid(mine)).toEqual(['0001', '0011']);
    now = view([...START, [1, 0, '0100']], hand, { seat: 0, to_move: 0 });
    const blocked = new Draft(() => now);
    blocked.chain = draft.chain;
    blocked.dropImpossibleParts();
    expect(laid(blocked)).toEqual([]);
  });

  it('earns the bonus with a tile that touches two', () => {
    const draft = new Draft(() => view(START, ['0001', '0011', '0010']));
    chain(draft, ['0001', [1, 0]], ['0011', [1, 1]], ['0010', [0, 1]]);
    expect(draft.earnBonus).toEqual([false, false, true]);
    expect(draft.earnsBonus).toBe(true);
  });

  it('never earns a second bonus', () => {
    const draft = new Draft(() => view(START, ['0001', '0011', '0010'], { phase: 'bonus' }));
    chain(draft, ['0001', [1, 0]], ['0011', [1, 1]], ['0010', [0, 1]]);
    expect(draft.earnsBonus).toBe(false);
  });

  it('takes back a tile and those that are illegal without it', () => {
    const draft = new Draft(() => view(START, ['0001', '0011', '0021']));
    chain(draft, ['0001', [1, 0]], ['0011', [2, 0]], ['0021', [3, 0]]);
    draft.takeBack('0011');
    expect(laid(draft)).toEqual(['0001']);
  });

  it('keeps the tiles that stay legal', () => {
    const draft = new Draft(() => view(START, ['0001', '0002']));
    chain(draft, ['0001', [1, 0]], ['0002', [2, 0]]);
    draft.takeBack('0002');
    expect(laid(draft)).toEqual(['0001']);
    draft.takeBack();
    expect(laid(draft)).toEqual([]);
  });

  it('survives an unchanged view, but not the end of the turn', () => {
    let now = view(START, ['0001', '0002']);
    const draft = new Draft(() => now);
    chain(draft, ['0001', [1, 0]]);
    draft.dropImpossibleParts();
    expect(laid(draft)).toEqual(['0001']);
    now = view(START, ['0001', '0002'], {
      choices: { lay: {}, swap: false, take: [] } as unknown as UnikatView['choices'],
    });
    draft.dropImpossibleParts();
    expect(laid(draft)).toEqual([]);
  });
});

describe('the choice in a draft', () => {
  it('is cleared by choosing the tile again or laying it', () => {
    const draft = new Draft(() => view(START, ['0001', '0002']));
    draft.choose('0001');
    expect([draft.chosen, draft.places.length]).toEqual(['0001', 4]);
    draft.choose('0001');
    expect([draft.chosen, draft.places]).toEqual([null, []]);
    draft.choose('0002');
    chain(draft, ['0002', [1, 0]]);
    expect(draft.chosen).toBeNull();
    expect(draft.playable).toEqual(['0001']);
    chain(draft, ['0001', [2, 0]]);
    expect(draft.playable).toEqual([]);
  });

  it('has no places while nothing may be laid', () => {
    const choices = { lay: {}, swap: true, take: [] } as unknown as UnikatView['choices'];
    const draft = new Draft(() => view(START, ['0001', '0002'], { choices }));
    draft.chain = [['0001', 1, 0]];
    draft.choose('0002');
    expect([draft.mayLay, draft.places, draft.playable]).toEqual([false, [], []]);
  });

  it('can be swapped only while no tile is laid', () => {
    const draft = new Draft(() => view(START, ['0001']));
    draft.take = 'bag';
    expect(draft.maySwap).toBe(true);
    chain(draft, ['0001', [1, 0]]);
    expect([draft.maySwap, draft.take]).toEqual([false, null]);
  });

  it('is dropped once it is no longer possible', () => {
    let now = view(START, ['0001', '0002', '0011']);
    const draft = new Draft(() => now);
    const chosen = () => [draft.chosen, draft.take, laid(draft)];
    chain(draft, ['0001', [1, 0]]);
    draft.choose('0002');
    draft.take = '2222';
    draft.dropImpossibleParts();
    expect(chosen()).toEqual(['0002', '2222', ['0001']]);
    now = view(START, ['0011'], {
      choices: { lay: { '0001': [[1, 0]] }, swap: true, take: ['bag'] } as never,
    });
    draft.dropImpossibleParts();
    expect(chosen()).toEqual([null, null, []]);
    draft.take = 'bag';
    now = view(START, ['0011'], { choices: { lay: {}, swap: false, take: ['bag'] } as never });
    draft.dropImpossibleParts();
    expect(draft.take).toBeNull();
  });

  it('loses its problem when a tile is taken back', () => {
    const draft = new Draft(() => view(START, ['0001', '0022']));
    chain(draft, ['0001', [1, 0]]);
    draft.place('0022', [2, 0]);
    expect(draft.problem?.reason).toBe('unlike_neighbour');
    draft.takeBack();
    expect(draft.problem).toBeNull();
  });
});

describe('a planned chain', () => {
  const plan = (more: Partial<UnikatView>) =>
    new Draft(() => view(START, ['0001', '0011', '0010'], { seat: 0, to_move: 1, ...more }));

  it('is made by a player while others move', () => {
    expect(plan({}).isPlan).toBe(true);
    expect(plan({ to_move: 0 }).isPlan).toBe(false);
    expect(plan({ seat: null }).isPlan).toBe(false);
    expect(plan({ phase: 'over' }).isPlan).toBe(false);
  });

  it("earns a bonus even during someone else's bonus turn", () => {
    const draft = plan({ phase: 'bonus' });
    chain(draft, ['0001', [1, 0]], ['0011', [1, 1]], ['0010', [0, 1]]);
    expect(draft.earnsBonus).toBe(true);
  });
});
