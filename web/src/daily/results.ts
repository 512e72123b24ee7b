/** The results of a puzzle of the day, as far as both games share them. */
import { t } from '../lib/i18n.svelte';

export interface DailyResult {
  /** Null for a result that isn't ranked. */
  place: number | null;
  /** Empty if it's yours, and nobody else sees it yet. */
  name: string;
  ms: number;
  /** Only Unikat counts tiles. */
  tiles?: number;
  yours: boolean;
}

export interface DailyAnswer {
  day: string;
  started: number | null;
  results: readonly DailyResult[];
  /** How many results have a place, yours included. */
  ranked: number;
}

/** Among fewer people a share says less than the place does. */
const FEWEST_RANKED = 5;

export const ownResult = <Result extends DailyResult>(results: readonly Result[]): Result | null =>
  results.find(({ yours }) => yours) ?? null;

/** The share of the others that your result beats, from 0 to 1; null if it means little. */
export function shareOfPlayersBeaten({ results, ranked }: DailyAnswer): number | null {
  const place = ownResult(results)?.place;
  if (!place || ranked < FEWEST_RANKED) return null;
  const equal = results.filter((result) => result.place === place).length;
  const beaten = ranked - (place - 1) - equal;
  return beaten > 0 ? beaten / (ranked - 1) : null;
}

/** "72%", never rounded up. */
export const formatPercent = (share: number): string =>
  t('language.percent', { n: Math.floor(share * 100) });
