/** How tiles look. The page, notebooks and print share the data. */

import looks from '../../../../src/pytlik/unikat/looks.json';
import { t, type Key } from '../../lib/i18n.svelte';
import type { Skin } from '../../lib/settings.svelte';
import type { Tile } from '../../lib/wire';

/** In the order of a tile's digits. */
export const FEATURES = ['shape', 'colour', 'size', 'background'] as const;
export type Feature = (typeof FEATURES)[number];

type Digit = 0 | 1 | 2;
const digit = (tile: Tile, feature: Feature): Digit =>
  Number(tile[FEATURES.indexOf(feature)]) as Digit;

export interface TileAppearance {
  ground: { fill: string; edge: string; outline: string; frame: string };
  framePath: string;
  shape: string;
  scale: number;
  /** A colour, or a reference to a pattern that TilePatterns draws. */
  fill: string;
}

export const BOX = looks.box;
export const CORNER = looks.corner;
export const CENTRE = looks.centre as [number, number];
export const OUTLINE = looks.outline;

export interface Pattern {
  id: string;
  fill: string;
  ink: string;
  kind: 'stripes' | 'dots';
}

const patternId = (skin: Skin, colour: Digit): string => `tile-${skin}-${colour}`;

/** Patterns that have to be in the document once, for tiles to refer to. */
export const PATTERNS: readonly Pattern[] = (['huch', 'granna'] as const).flatMap((skin) =>
  looks.skins[skin].symbol.flatMap((symbol, colour) =>
    'pattern' in symbol && symbol.pattern && symbol.ink
      ? [
          {
            id: patternId(skin, colour as Digit),
            fill: symbol.fill,
            ink: symbol.ink,
            kind: symbol.pattern as Pattern['kind'],
          },
        ]
      : [],
  ),
);

export function tileAppearance(tile: Tile, skin: Skin, patterns: boolean): TileAppearance {
  const look = looks.skins[skin];
  const colour = digit(tile, 'colour');
  const background = digit(tile, 'background');
  const symbol = look.symbol[colour]!;
  const size = look.size[digit(tile, 'size')] as keyof typeof looks.sizes;
  const shape = look.shape[digit(tile, 'shape')] as keyof typeof looks.shapes;
  return {
    ground: look.ground[background]!,
    framePath: patterns ? looks.frames[background]! : '',
    shape: looks.shapes[shape],
    scale: looks.sizes[size],
    fill: patterns && 'pattern' in symbol ? `url(#${patternId(skin, colour)})` : symbol.fill,
  };
}

/** A tile in words: "circle, orange, small, on grey". Colour and size agree with the shape. */
export function tileName(tile: Tile, skin: Skin): string {
  const valueOf = (feature: Feature) => looks.skins[skin][feature][digit(tile, feature)]!;
  const shape = valueOf('shape');
  const colour = valueOf('colour');
  const size = valueOf('size');
  const background = valueOf('background');
  return t('page.tile.name', {
    shape: t(`page.tile.shape.${shape}` as Key),
    colour: t(`page.tile.colour.${colour}.${shape}` as Key),
    size: t(`page.tile.size.${size}.${shape}` as Key),
    background: t(`page.tile.background.${background}` as Key),
  });
}
