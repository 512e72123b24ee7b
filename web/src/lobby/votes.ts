/** What players can decide together during a match. */

import type { TableInfo } from '../lib/wire';

const MIN_PLAYERS_TO_AGREE = 2;

/** Those who are here and haven't said yet that they want another match. */
export const votersMissing = ({ chairs, again }: Pick<TableInfo, 'chairs' | 'again'>): number[] =>
  chairs.flatMap(({ kind, here }, seat) =>
    kind === 'person' && here && !again.includes(seat) ? [seat] : [],
  );

/**
 * Whether enough players are here to let a bot play for somebody who is away, before the time that
 * was agreed on. One alone can't decide that.
 */
export const canLetBotPlay = ({ chairs }: Pick<TableInfo, 'chairs'>): boolean =>
  chairs.filter(({ kind, here, stand_in }) => kind === 'person' && here && !stand_in).length >=
  MIN_PLAYERS_TO_AGREE;
