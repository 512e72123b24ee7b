/**
 * The view after an event that everyone saw. It's only shown until the server's own view follows.
 */

import type { Hidden, Tile, UnikatEvent, UnikatView } from '../../../lib/wire';

const addToCount = (counts: readonly number[], seat: number, by: number): number[] =>
  counts.map((count, other) => (other === seat ? count + by : count));

function takeTile(
  view: UnikatView,
  seat: number,
  tile: Tile | Hidden,
  source: 'bag' | 'display',
): UnikatView {
  const mine = seat === view.seat && typeof tile === 'string';
  return {
    ...view,
    hand: mine ? [...view.hand, tile] : view.hand,
    counts: addToCount(view.counts, seat, 1),
    bag: source === 'bag' ? view.bag - 1 : view.bag,
    display: view.display.filter((open) => source === 'bag' || open !== tile),
  };
}

export function applyEvent(view: UnikatView, event: UnikatEvent): UnikatView {
  switch (event.kind) {
    case 'chain_laid': {
      const laid = event.tiles.map(([tile]) => tile);
      return {
        ...view,
        board: [
          ...view.board,
          ...event.tiles.map(([tile, x, y]): [number, number, Tile] => [x, y, tile]),
        ],
        hand: view.hand.filter((tile) => !laid.includes(tile)),
        counts: addToCount(view.counts, event.seat, -laid.length),
        latest: view.laid ? [...view.latest, ...event.tiles] : event.tiles,
        laid: true,
      };
    }
    case 'tile_swapped': {
      const given = {
        ...view,
        hand: view.hand.filter((tile) => tile !== event.give),
        counts: addToCount(view.counts, event.seat, -1),
        display: [...view.display, event.give],
      };
      return takeTile(given, event.seat, event.take, event.source);
    }
    case 'tile_drawn':
      return takeTile(view, event.seat, event.tile, event.source);
    case 'display_filled':
      return { ...view, display: event.tiles, bag: view.bag - event.tiles.length };
    case 'bonus_earned':
      return { ...view, phase: 'bonus' };
    case 'draw_owed':
      return { ...view, phase: 'draw' };
    case 'turn_ended':
      return { ...view, to_move: event.next, phase: 'action', laid: false };
    default:
      return view;
  }
}
