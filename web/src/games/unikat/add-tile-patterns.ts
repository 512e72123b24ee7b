/** Adds the patterns that tiles refer to, once in the document. */

import { PATTERNS, type Pattern } from './appearance';

const DRAWINGS: Readonly<Record<Pattern['kind'], (pattern: Pattern) => string>> = {
  stripes: ({ id, fill, ink, transform }) =>
    `<pattern id="${id}" width="26" height="26" patternUnits="userSpaceOnUse" ` +
    `patternTransform="${transform} rotate(45)"><rect width="26" height="26" fill="${fill}"/>` +
    `<rect width="9" height="26" fill="${ink}"/></pattern>`,
  dots: ({ id, fill, ink, transform }) =>
    `<pattern id="${id}" width="27" height="27" patternUnits="userSpaceOnUse" ` +
    `patternTransform="${transform}"><rect width="27" height="27" fill="${fill}"/>` +
    `<circle cx="13.5" cy="13.5" r="5.6" fill="${ink}"/></pattern>`,
};

let areThere = false;

/** Add them with the first tile: a page without tiles doesn't need them. */
export function addTilePatterns(): void {
  if (areThere) return;
  areThere = true;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  svg.setAttribute('aria-hidden', 'true');
  svg.style.position = 'absolute';
  svg.innerHTML = PATTERNS.map((pattern) => DRAWINGS[pattern.kind](pattern)).join('');
  document.body.append(svg);
}
