/**
 * Typed moves: "lay c 1,0 d 2,0", "swap c bag", "take 2". A tile is its letter on the rack, its
 * number in the display, its code, or enough of its words. "lay" may be left out.
 */

import { t } from '../../../lib/i18n.svelte';
import type { Skin } from '../../../lib/settings.svelte';
import type { Placement, Take, Tile, UnikatAction, UnikatView } from '../../../lib/wire';
import { tileName } from '../appearance';

const VERBS = ['lay', 'swap', 'take', 'done', 'pass', 'ready', 'bag'] as const;
type Verb = (typeof VERBS)[number];

export interface ParseContext {
  view: UnikatView;
  /** In the order of the rack. */
  rack: readonly Tile[];
  skin: Skin;
}

/**
 * In lower case and without accents, which are hard to type on some keyboards. Unicode doesn't
 * treat the stroke of ł as one.
 */
const simplify = (text: string): string =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ł', 'l');

/** English words work in every language: they are those of the command line. */
const verbOf = (word: string): Verb | undefined =>
  word === 'draw'
    ? 'take'
    : VERBS.find((verb) => word === verb || word === simplify(t(`page.unikat.typed.${verb}`)));

/** The action that is meant; null if it isn't clear. */
export function parseTypedMove(text: string, around: ParseContext): UnikatAction | null {
  const parts = simplify(text)
    .replace(/(-?\d+)\s*,\s*(-?\d+)/g, '$1,$2')
    .split(/[\s;]+/)
    .filter(Boolean);
  const verb = verbOf(parts[0] ?? '');
  const rest = verb && verb !== 'bag' ? parts.slice(1) : parts;
  switch (verb) {
    case 'swap':
      return parseSwap(rest, around);
    case 'done':
      return { kind: 'decline' };
    case 'pass':
    case 'ready':
      return { kind: verb };
    case 'take':
    case 'bag':
      return parseDraw(rest, around);
    case 'lay':
    case undefined:
      return around.view.choices.draw ? parseDraw(rest, around) : parseLay(rest, around);
  }
}

function parseLay(parts: readonly string[], { rack, skin }: ParseContext): UnikatAction | null {
  const tiles: Placement[] = [];
  let named: string[] = [];
  for (const part of parts) {
    const place = /^(-?\d+),(-?\d+)$/.exec(part);
    if (!place) {
      named.push(part);
      continue;
    }
    const tile = findTile(named, rack, skin, letterIndex);
    if (!tile) return null;
    tiles.push([tile, Number(place[1]), Number(place[2])]);
    named = [];
  }
  return tiles.length && !named.length ? { kind: 'lay', tiles } : null;
}

function parseSwap(parts: readonly string[], around: ParseContext): UnikatAction | null {
  // Nothing separates the words of the two tiles: try every cut.
  for (let cut = 1; cut < parts.length; cut++) {
    const give = findTile(parts.slice(0, cut), around.rack, around.skin, letterIndex);
    const take = parseTileOrBag(parts.slice(cut), around);
    if (give && take) return { kind: 'swap', give, take };
  }
  return null;
}

function parseDraw(parts: readonly string[], around: ParseContext): UnikatAction | null {
  const take = parseTileOrBag(parts, around);
  return take && { kind: 'draw', take };
}

function parseTileOrBag(parts: readonly string[], { view, skin }: ParseContext): Take | null {
  if (parts.length === 1 && verbOf(parts[0]!) === 'bag') return 'bag';
  return findTile(parts, view.display, skin, numberIndex);
}

const letterIndex = (word: string): number => (/^[a-j]$/.test(word) ? word.charCodeAt(0) - 97 : -1);
const numberIndex = (word: string): number => (/^\d{1,2}$/.test(word) ? Number(word) - 1 : -1);

/** The tile that a label, a code or words mean, among some tiles. */
function findTile(
  parts: readonly string[],
  among: readonly Tile[],
  skin: Skin,
  label: (word: string) => number,
): Tile | null {
  const [first] = parts;
  if (!first) return null;
  if (parts.length === 1) {
    const labelled = among[label(first)];
    if (labelled) return labelled;
    if (/^[0-2]{4}$/.test(first)) return among.find((tile) => tile === first) ?? null;
  }
  const wanted = parts.map((part) => part.replace(/,$/, ''));
  const found = among.filter((tile) => {
    const known = simplify(tileName(tile, skin)).split(/[\s,]+/);
    return wanted.every((word) => known.includes(word));
  });
  return found.length === 1 ? found[0]! : null;
}
