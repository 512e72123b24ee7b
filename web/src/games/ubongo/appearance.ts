/** How pieces and gems look. The page, notebooks and print share the data. */

import looks from '../../../../src/pytlik/ubongo/looks.json';
import type { Colour, Gem } from '../../lib/wire';

export interface PieceLook {
  fill: string;
  edge: string;
  /** The colour of its number. */
  ink: string;
  /** The colour of the sign on each of its cells. */
  mark: string;
  sign: string;
}

export interface GemLook {
  fill: string;
  edge: string;
  outline: string;
  /** Facets that face the light, and those that don't. */
  light: string;
  dark: string;
}

export const pieceLook: Readonly<Record<Colour, PieceLook>> = looks.colours;
export const gemLook: Readonly<Record<Gem, GemLook>> = looks.gems;
