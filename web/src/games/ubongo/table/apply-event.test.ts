import { expect, test } from 'vitest';
import type { UbongoEvent, UbongoView } from '../../../lib/wire';
import { applyEvent } from './apply-event';
import vectors from './apply-event.vectors.json';

/**
 * Written by tests/make_page_vectors.py: the view when a round begins, then for each event what the
 * rules change of what the page shows, and whether we can still solve.
 */
interface Race {
  view: UbongoView;
  steps: { event: UbongoEvent; changes: Partial<UbongoView>; solves: boolean }[];
}

test.each(vectors as unknown as Race[])('events change the view as by the rules: %#', (race) => {
  let shown = race.view;
  let expected: Partial<UbongoView> = {};
  for (const { event, changes, solves } of race.steps) {
    shown = applyEvent(shown, event);
    expected = { ...expected, ...changes };
    expect(shown, JSON.stringify(event)).toMatchObject({ ...expected, choices: { solve: solves } });
  }
});

const none = { ruby: 0, sapphire: 0, emerald: 0, amber: 0 };
const view = {
  seat: 0,
  phase: 'solving',
  sand: 60_000,
  ready: [0, 1],
  books: { display: { ...none, sapphire: 2, amber: 2 }, bag: { ...none, ruby: 1 }, held: [none, none] },
  points: [0, 0],
  solutions: [],
  settled: [],
  gave_up: [],
  choices: { ready: false, solve: true },
} as unknown as UbongoView; // prettier-ignore

const apply = (kind: UbongoEvent['kind'], more: object = {}): UbongoView =>
  applyEvent(view, { kind, at: 7, ...more } as unknown as UbongoEvent);

test('only a seat that has solved or given up stops solving', () => {
  expect(apply('card_solved', { seat: 0, time: 5 })).toMatchObject({
    solutions: [{ seat: 0, time: 5, arrived: 7 }],
    choices: { solve: false },
  });
  expect(apply('seat_gave_up', { seat: 0 })).toMatchObject({
    gave_up: [0],
    choices: { solve: false },
  });
  expect(apply('card_solved', { seat: 1, time: 5 }).choices.solve).toBe(true);
  expect(apply('solution_settled', { seat: 1, rank: 0 }).settled).toEqual([1]);
});

test('a gem goes from the display or the bag to a player, and scores points', () => {
  expect(apply('gem_taken', { seat: 1, gem: 'sapphire', source: 'display' })).toMatchObject({
    books: { display: { sapphire: 1 }, bag: { ruby: 1 }, held: [none, { sapphire: 1 }] },
    points: [0, 3],
  });
  expect(apply('gem_taken', { seat: 1, gem: 'ruby', source: 'bag' })).toMatchObject({
    books: { display: { sapphire: 2 }, bag: { ruby: 0 }, held: [none, { ruby: 1 }] },
    points: [0, 4],
  });
});

test('a gem that nobody gets goes into the bag', () => {
  expect(apply('gem_bagged', { gem: 'amber' }).books).toMatchObject({
    display: { amber: 1 },
    bag: { amber: 1 },
    held: [none, none],
  });
});

test('after a round nobody is ready, and no sand runs', () => {
  expect(apply('round_ended', { round: 1 })).toMatchObject({
    phase: 'ready',
    ready: [],
    sand: null,
  });
  expect(apply('match_ended')).toBe(view);
});
