/** The chat at a table, as far as it's kept. */

import type { Line } from '../lib/wire';

const LINES_KEPT = 40;

/** Whether a line came again because its text, or the name in it, was withdrawn. */
export const isWithdrawal = ({ text, name }: Line): boolean => text === '' || name === '';

/** Drop lines whose text was withdrawn; a line without its name still says something. */
export const withoutWithdrawn = (talk: readonly Line[]): readonly Line[] =>
  talk.filter(({ text }) => text !== '');

/** Add a line, or replace the one with the same number after something was withdrawn. */
export function addOrReplaceLine(talk: readonly Line[], line: Line): readonly Line[] {
  const again = talk.some(({ number }) => number === line.number);
  if (!again) return withoutWithdrawn([...talk, line].slice(-LINES_KEPT));
  return withoutWithdrawn(talk.map((each) => (each.number === line.number ? line : each)));
}
