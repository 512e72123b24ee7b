/** A result to share: it shows how somebody did, but not the solution. */

/** One tile or piece. */
export interface ResultSymbol {
  emoji: string;
  shape: 'square' | 'hexagon';
  /** A colour of the style sheets; null for one that is missing. */
  fill: string | null;
}

export interface SharedResult {
  /** All of it in words. */
  sentence: string;
  /** Which of the day's puzzles: "Easy", "4 pieces". */
  kind: string;
  /** What counts: "4 of 5 tiles", "0:41.3". */
  result: string;
  /** One for each tile or piece. */
  symbols: readonly ResultSymbol[];
  /** A medal or a star for the text, if it has earned one. */
  award: string;
}

const MEDALS = ['🥇', '🥈', '🥉'];

export const medalFor = (place: number | null): string => MEDALS[(place ?? 0) - 1] ?? '';

/** The sentence, and below it the symbols. A single day is not a streak. */
export function shareText({ sentence, symbols, award }: SharedResult, streak: number): string {
  const row = [symbols.map(({ emoji }) => emoji).join(''), award, streak > 1 ? `🔥${streak}` : ''];
  return `${sentence}\n${row.filter(Boolean).join(' ')}`;
}
