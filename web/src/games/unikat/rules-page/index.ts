/** The sections of Unikat's rules. Their texts are in the catalogues. */

import type { RulesSection } from '../../module';

export { default as Figure } from './Figure.svelte';

export const sections: readonly RulesSection[] = [
  { id: 'aim', title: 'page.rules.unikat.aim.title', texts: ['page.rules.unikat.aim.body'] },
  {
    id: 'tiles',
    title: 'page.rules.unikat.tiles.title',
    texts: ['page.rules.unikat.tiles.body', 'page.rules.unikat.tiles.looks'],
    figure: 'tiles',
  },
  {
    id: 'setup',
    title: 'page.rules.unikat.setup.title',
    texts: ['page.rules.unikat.setup.body', 'page.rules.unikat.setup.first'],
    houseRule: 'page.rules.unikat.setup.here',
  },
  {
    id: 'turn',
    title: 'page.rules.unikat.turn.title',
    texts: ['page.rules.unikat.turn.body'],
    houseRule: 'page.rules.unikat.turn.here',
  },
  {
    id: 'lay',
    title: 'page.rules.unikat.lay.title',
    texts: ['page.rules.unikat.lay.body'],
    figure: 'lay',
  },
  {
    id: 'chain',
    title: 'page.rules.unikat.chain.title',
    texts: ['page.rules.unikat.chain.body'],
    figure: 'chain',
  },
  {
    id: 'double',
    title: 'page.rules.unikat.double.title',
    texts: ['page.rules.unikat.double.body', 'page.rules.unikat.double.once'],
    figure: 'double',
    houseRule: 'page.rules.unikat.double.here',
  },
  {
    id: 'swap',
    title: 'page.rules.unikat.swap.title',
    texts: ['page.rules.unikat.swap.body'],
    houseRule: 'page.rules.unikat.swap.here',
  },
  {
    id: 'draw',
    title: 'page.rules.unikat.draw.title',
    texts: ['page.rules.unikat.draw.body', 'page.rules.unikat.draw.stock'],
    houseRule: 'page.rules.unikat.draw.here',
  },
  {
    id: 'end',
    title: 'page.rules.unikat.end.title',
    texts: ['page.rules.unikat.end.body'],
    houseRule: 'page.rules.unikat.end.here',
  },
  {
    id: 'rounds',
    title: 'page.rules.unikat.rounds.title',
    texts: ['page.rules.unikat.rounds.body'],
    houseRule: 'page.rules.unikat.rounds.here',
  },
  {
    id: 'known',
    title: 'page.rules.unikat.known.title',
    texts: [],
    houseRule: 'page.rules.unikat.known.here',
  },
];
