/** The sections of Ubongo's rules. Their texts are in the catalogues. */

import type { RulesSection } from '../../module';

export { default as Figure } from './Figure.svelte';

export const sections: readonly RulesSection[] = [
  { id: 'aim', title: 'page.rules.ubongo.aim.title', texts: ['page.rules.ubongo.aim.body'] },
  {
    id: 'box',
    title: 'page.rules.ubongo.box.title',
    texts: ['page.rules.ubongo.box.body'],
    figure: 'box',
  },
  {
    id: 'gems',
    title: 'page.rules.ubongo.gems.title',
    texts: ['page.rules.ubongo.gems.body'],
    figure: 'gems',
  },
  {
    id: 'setup',
    title: 'page.rules.ubongo.setup.title',
    texts: ['page.rules.ubongo.setup.body'],
    houseRule: 'page.rules.ubongo.setup.here',
  },
  {
    id: 'round',
    title: 'page.rules.ubongo.round.title',
    texts: ['page.rules.ubongo.round.body'],
    houseRule: 'page.rules.ubongo.round.here',
  },
  {
    id: 'solve',
    title: 'page.rules.ubongo.solve.title',
    texts: ['page.rules.ubongo.solve.body'],
    figure: 'solve',
    houseRule: 'page.rules.ubongo.solve.here',
  },
  {
    id: 'reward',
    title: 'page.rules.ubongo.reward.title',
    texts: ['page.rules.ubongo.reward.body'],
    figure: 'reward',
  },
  {
    id: 'over',
    title: 'page.rules.ubongo.over.title',
    texts: ['page.rules.ubongo.over.body'],
    houseRule: 'page.rules.ubongo.over.here',
  },
  {
    id: 'second',
    title: 'page.rules.ubongo.second.title',
    texts: ['page.rules.ubongo.second.body'],
  },
  {
    id: 'end',
    title: 'page.rules.ubongo.end.title',
    texts: ['page.rules.ubongo.end.body', 'page.rules.ubongo.end.example'],
  },
  {
    id: 'tie',
    title: 'page.rules.ubongo.tie.title',
    texts: ['page.rules.ubongo.tie.body'],
    houseRule: 'page.rules.ubongo.tie.here',
  },
  {
    id: 'known',
    title: 'page.rules.ubongo.known.title',
    texts: [],
    houseRule: 'page.rules.ubongo.known.here',
  },
];
