/** The chat at a table, as far as it's kept. */

import type { Line } from '../lib/wire';

const LINES_KEPT = 40;

/** Whether somebody has withdrawn this line, or their name. */
export const isWithdrawn = ({ text, name }: Line): boolean => text === '' || name === '';

/** The lines that still have something to show. */
export const visibleLines = (talk: readonly Line[]): readonly Line[] =>
  talk.filter(({ text }) => text !== '');

/** Add a line, or replace the one with the same number after something was withdrawn. */
export function addOrReplaceLine(talk: readonly Line[], line: Line): readonly Line[] {
  const again = talk.some(({ number }) => number === line.number);
  if (!again) return visibleLines([...talk, line].slice(-LINES_KEPT));
  return visibleLines(talk.map((each) => (each.number === line.number ? line : each)));
}
