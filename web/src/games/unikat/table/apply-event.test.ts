import { expect, test } from 'vitest';
import type { Stone, UnikatEvent, UnikatView } from '../../../lib/wire';
import { applyEvent } from './apply-event';
import vectors from './apply-event.vectors.json';

/** Written by tests/make_page_vectors.py: the deal, and what the rules change in it with each event. */
interface Round {
  view: Partial<UnikatView>;
  steps: { event: UnikatEvent; changes: Partial<UnikatView> }[];
}
const rounds = vectors as unknown as Round[];

const change = (view: Partial<UnikatView>, changes: Partial<UnikatView>): Partial<UnikatView> => ({
  ...view,
  ...changes,
  board: [...view.board!, ...(changes.board ?? [])] as Stone[],
});

test.each(rounds)('a round is shown as the rules play it: %#', ({ view, steps }) => {
  let shown = view as UnikatView;
  let known = view;
  for (const { event, changes } of steps) {
    shown = applyEvent(shown, event);
    known = change(known, changes);
    expect(shown, JSON.stringify(event)).toEqual(known);
  }
});

test('a chain that is laid tile by tile leads to the same', () => {
  for (const { view, steps } of rounds) {
    let known = view;
    for (const { event, changes } of steps) {
      const before = known as UnikatView;
      known = change(known, changes);
      if (event.kind !== 'chain_laid') continue;
      const parts = event.tiles.map((placed): UnikatEvent => ({ ...event, tiles: [placed] }));
      expect(parts.reduce(applyEvent, before)).toEqual(known);
    }
  }
});
