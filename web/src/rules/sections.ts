/** What the rules of each game consist of. The texts themselves are in the catalogues. */

import type { Key } from '../lib/i18n.svelte';
import type { Game } from '../app/router.svelte';

export type UnikatFigure = 'tiles' | 'lay' | 'chain' | 'double';
export type UbongoFigure = 'box' | 'gems' | 'solve' | 'reward';

export interface Section<Figure = UnikatFigure | UbongoFigure> {
  /** Its part of the address, behind the #. */
  id: string;
  title: Key;
  texts: readonly Key[];
  figure?: Figure;
  /** Where the booklets are silent: how it is played here. */
  here?: Key;
}

const UNIKAT: readonly Section<UnikatFigure>[] = [
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
    here: 'page.rules.unikat.setup.here',
  },
  {
    id: 'turn',
    title: 'page.rules.unikat.turn.title',
    texts: ['page.rules.unikat.turn.body'],
    here: 'page.rules.unikat.turn.here',
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
    here: 'page.rules.unikat.double.here',
  },
  {
    id: 'swap',
    title: 'page.rules.unikat.swap.title',
    texts: ['page.rules.unikat.swap.body'],
    here: 'page.rules.unikat.swap.here',
  },
  {
    id: 'draw',
    title: 'page.rules.unikat.draw.title',
    texts: ['page.rules.unikat.draw.body', 'page.rules.unikat.draw.stock'],
    here: 'page.rules.unikat.draw.here',
  },
  {
    id: 'end',
    title: 'page.rules.unikat.end.title',
    texts: ['page.rules.unikat.end.body'],
    here: 'page.rules.unikat.end.here',
  },
  {
    id: 'rounds',
    title: 'page.rules.unikat.rounds.title',
    texts: ['page.rules.unikat.rounds.body'],
    here: 'page.rules.unikat.rounds.here',
  },
  {
    id: 'known',
    title: 'page.rules.unikat.known.title',
    texts: [],
    here: 'page.rules.unikat.known.here',
  },
];

const UBONGO: readonly Section<UbongoFigure>[] = [
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
    here: 'page.rules.ubongo.setup.here',
  },
  {
    id: 'round',
    title: 'page.rules.ubongo.round.title',
    texts: ['page.rules.ubongo.round.body'],
    here: 'page.rules.ubongo.round.here',
  },
  {
    id: 'solve',
    title: 'page.rules.ubongo.solve.title',
    texts: ['page.rules.ubongo.solve.body'],
    figure: 'solve',
    here: 'page.rules.ubongo.solve.here',
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
    here: 'page.rules.ubongo.over.here',
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
    here: 'page.rules.ubongo.tie.here',
  },
  {
    id: 'known',
    title: 'page.rules.ubongo.known.title',
    texts: [],
    here: 'page.rules.ubongo.known.here',
  },
];

export const SECTIONS: Readonly<Record<Game, readonly Section[]>> = {
  unikat: UNIKAT,
  ubongo: UBONGO,
};
