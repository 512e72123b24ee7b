/** How tiles look. The page, notebooks and print share the data. */

import looks from '../../../../src/pytlik/unikat/looks.json';
import { t, type Key } from '../../lib/i18n.svelte';
import type { Skin } from '../../lib/settings.svelte';
import type { Tile } from '../../lib/wire';

/** In the order of a tile's digits. */
export const FEATURES = ['shape', 'colour', 'size', 'background'] as const;
export type Feature = (typeof FEATURES)[number];

type Digit = 0 | 1 | 2;
const featureDigit = (tile: Tile, feature: Feature): Digit =>
  Number(tile[FEATURES.indexOf(feature)]) as Digit;

export interface TileAppearance {
  ground: { fill: string; edge: string; outline: string };
  /** The background's own sign; an empty path if it has none. */
  frame: { path: string; fill: string; stroke: string };
  /** The symbol's outline, in its size and at its place on the tile. */
  shape: string;
  /** A colour, or a reference to a pattern that `add-tile-patterns.ts` draws. */
  fill: string;
}

export const SYMBOL_CENTRE = looks.centre as [number, number];

type Size = keyof typeof looks.sizes;
const SIZES = Object.keys(looks.sizes) as Size[];

const roundToThousandths = (value: number): number => Math.round(value * 1000) / 1000;

/** What the numbers after each command of a path are: a place, a radius (r), or neither. */
const PATH_ARGUMENTS: Readonly<Record<string, string>> = {
  M: 'xy',
  L: 'xy',
  H: 'x',
  V: 'y',
  A: 'rr---xy',
  Z: '',
};

/**
 * Scale a path around the origin to a symbol's size, and move it to the middle of a tile. A group
 * with a transform would do the same, but browsers compose each of those anew with every movement
 * of the board.
 */
export function scaleSymbolPath(path: string, scale: number): string {
  const scaleArgument = (value: number, kind: string | undefined): number => {
    if (kind === 'x') return SYMBOL_CENTRE[0] + value * scale;
    if (kind === 'y') return SYMBOL_CENTRE[1] + value * scale;
    return kind === 'r' ? value * scale : value;
  };
  return path.replace(/([A-Z])([^A-Z]*)/g, (_, command: string, rest: string) => {
    const values = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    return (
      command +
      values
        .map((value, at) => roundToThousandths(scaleArgument(value, PATH_ARGUMENTS[command]?.[at])))
        .join(' ')
    );
  });
}

const shapePaths = new Map<string, string>();

/** The path of a shape in a size; there are few of them, and many tiles. */
function shapePath(shape: keyof typeof looks.shapes, size: Size): string {
  const key = `${shape} ${size}`;
  let path = shapePaths.get(key);
  if (path === undefined) {
    path = scaleSymbolPath(looks.shapes[shape], looks.sizes[size]);
    shapePaths.set(key, path);
  }
  return path;
}

export interface Pattern {
  id: string;
  fill: string;
  ink: string;
  kind: 'stripes' | 'dots';
  /** As large as the symbol that has it: a small one has as many stripes as a big one. */
  transform: string;
}

const patternId = (skin: Skin, colour: Digit, size: Size): string =>
  `tile-${skin}-${colour}-${size}`;

/** Patterns that have to be in the document once, for tiles to refer to. */
export const PATTERNS: readonly Pattern[] = (['huch', 'granna'] as const).flatMap((skin) =>
  looks.skins[skin].symbol.flatMap((symbol, colour) =>
    'pattern' in symbol && symbol.pattern && symbol.ink
      ? SIZES.map((size) => ({
          id: patternId(skin, colour as Digit, size),
          fill: symbol.fill,
          ink: symbol.ink,
          kind: symbol.pattern as Pattern['kind'],
          transform: `translate(${SYMBOL_CENTRE.join(' ')}) scale(${looks.sizes[size]})`,
        }))
      : [],
  ),
);

export function tileAppearance(tile: Tile, skin: Skin, patterns: boolean): TileAppearance {
  const look = looks.skins[skin];
  const colour = featureDigit(tile, 'colour');
  const background = featureDigit(tile, 'background');
  const symbol = look.symbol[colour]!;
  const size = look.size[featureDigit(tile, 'size')] as Size;
  const shape = look.shape[featureDigit(tile, 'shape')] as keyof typeof looks.shapes;
  const ground = look.ground[background]!;
  const isLine = background === 1;
  return {
    ground,
    frame: {
      path: patterns ? looks.frames[background]! : '',
      fill: isLine ? 'none' : ground.frame,
      stroke: isLine ? ground.frame : 'none',
    },
    shape: shapePath(shape, size),
    fill: patterns && 'pattern' in symbol ? `url(#${patternId(skin, colour, size)})` : symbol.fill,
  };
}

/** A tile in words: "circle, orange, small, on grey". Colour and size agree with the shape. */
export function tileName(tile: Tile, skin: Skin): string {
  const featureValue = (feature: Feature) =>
    looks.skins[skin][feature][featureDigit(tile, feature)]!;
  const shape = featureValue('shape');
  const colour = featureValue('colour');
  const size = featureValue('size');
  const background = featureValue('background');
  return t('page.tile.name', {
    shape: t(`page.tile.shape.${shape}` as Key),
    colour: t(`page.tile.colour.${colour}.${shape}` as Key),
    size: t(`page.tile.size.${size}.${shape}` as Key),
    background: t(`page.tile.background.${background}` as Key),
  });
}
