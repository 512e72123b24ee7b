/**
 * The view after an event, while the moments of a round are shown one by one. Covers only what is
 * visible then: the newest view comes from the server.
 */

import { POINTS, type Gem, type Ledger, type Purse, type UbongoEvent } from '../../../lib/wire';
import type { UbongoView } from '../../../lib/wire';

export function applyEvent(view: UbongoView, event: UbongoEvent): UbongoView {
  switch (event.kind) {
    case 'card_solved': {
      const { seat, time, at } = event;
      const solutions = [...view.solutions, { seat, time, arrived: at }];
      return { ...stopSolving(view, seat), solutions };
    }
    case 'seat_gave_up':
      return { ...stopSolving(view, event.seat), gave_up: [...view.gave_up, event.seat] };
    case 'solution_settled':
      return { ...view, settled: [...view.settled, event.seat] };
    case 'gem_taken': {
      const { seat, gem, source } = event;
      const books = removeGem(view.books, source, gem);
      const held = view.books.held.map((gems, owner) =>
        owner === seat ? addGem(gems, gem) : gems,
      );
      const points = view.points.map((sum, owner) => (owner === seat ? sum + POINTS[gem] : sum));
      return { ...view, books: { ...books, held }, points };
    }
    case 'gem_bagged': {
      const books = removeGem(view.books, 'display', event.gem);
      return { ...view, books: { ...books, bag: addGem(books.bag, event.gem) } };
    }
    case 'second_chance_began': {
      const solve = view.seat !== null && view.playing.includes(view.seat);
      return { ...view, gave_up: [], choices: { ...view.choices, solve } };
    }
    case 'round_ended': {
      const choices = { ...view.choices, solve: false };
      return {
        ...view,
        phase: 'ready',
        ready: [],
        starts: null,
        sand: null,
        patience: null,
        choices,
      };
    }
    default:
      return view;
  }
}

const stopSolving = (view: UbongoView, seat: number): UbongoView =>
  seat === view.seat ? { ...view, choices: { ...view.choices, solve: false } } : view;

const addGem = (gems: Purse, gem: Gem, n = 1): Purse => ({ ...gems, [gem]: (gems[gem] ?? 0) + n });

const removeGem = (books: Ledger, from: 'display' | 'bag', gem: Gem): Ledger => ({
  ...books,
  [from]: addGem(books[from], gem, -1),
});
