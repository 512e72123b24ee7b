/** What is said at a table, as far as it is kept. */

import type { Line } from '../lib/wire';

const KEPT = 40;

/** Whether somebody has taken back what they said here, or their name. */
export const isWithdrawn = ({ text, name }: Line): boolean => text === '' || name === '';

/** The lines that there is something to show of. */
export const visibleLines = (talk: readonly Line[]): readonly Line[] =>
  talk.filter(({ text }) => text !== '');

/** With one more line; or with one that came before, of which something was taken back. */
export function addLine(talk: readonly Line[], line: Line): readonly Line[] {
  const again = talk.some(({ number }) => number === line.number);
  if (!again) return visibleLines([...talk, line].slice(-KEPT));
  return visibleLines(talk.map((each) => (each.number === line.number ? line : each)));
}
