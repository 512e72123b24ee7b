/** Letting a bot play for somebody who is away, before the time that was agreed on. */

import type { TableInfo } from '../lib/wire';

const MIN_PLAYERS_TO_AGREE = 2;

/** Whether enough players are here to decide that. One alone can't. */
export const canLetBotPlay = ({ chairs }: Pick<TableInfo, 'chairs'>): boolean =>
  chairs.filter(({ kind, here, stand_in }) => kind === 'person' && here && !stand_in).length >=
  MIN_PLAYERS_TO_AGREE;
