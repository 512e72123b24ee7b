/** How pieces and gems look: the same data serves the page, notebooks and print. */

import looks from '../../../../src/pytlik/ubongo/looks.json';
import type { Colour, Gem } from '../../lib/wire';

export interface PieceLook {
  fill: string;
  edge: string;
  /** Of its number. */
  ink: string;
  /** Of the sign that every cell of this colour bears. */
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
