import { expect, test } from 'vitest';
import type { Stone, UnikatEvent, UnikatView } from '../../../lib/wire';
import { applyEvent } from './apply-event';
import vectors from './apply-event.vectors.json';

/** Written by tests/make_page_vectors.py: a deal, and what each event changes by the rules. */
interface Round {
  view: Partial<UnikatView>;
  steps: { event: UnikatEvent; changes: Partial<UnikatView> }[];
}
const rounds = vectors as unknown as Round[];

const withChanges = (
  view: Partial<UnikatView>,
  changes: Partial<UnikatView>,
): Partial<UnikatView> => ({
  ...view,
  ...changes,
  board: [...view.board!, ...(changes.board ?? [])] as Stone[],
});

test.each(rounds)('events change the view as by the rules: %#', ({ view, steps }) => {
  let shown = view as UnikatView;
  let expected = view;
  for (const { event, changes } of steps) {
    shown = applyEvent(shown, event);
    expected = withChanges(expected, changes);
    expect(shown, JSON.stringify(event)).toEqual(expected);
  }
});

test('laying a chain tile by tile gives the same view', () => {
  for (const { view, steps } of rounds) {
    let expected = view;
    for (const { event, changes } of steps) {
      const before = expected as UnikatView;
      expected = withChanges(expected, changes);
      if (event.kind !== 'chain_laid') continue;
      const parts = event.tiles.map((placed): UnikatEvent => ({ ...event, tiles: [placed] }));
      expect(parts.reduce(applyEvent, before)).toEqual(expected);
    }
  }
});
