/** What players can decide together during a match. */

import type { TableInfo } from '../lib/wire';

const MIN_VOTES = 2;

/**
 * Whether there are enough people here to let a bot play for somebody who is away before the time
 * that was agreed on. One alone can't decide that.
 */
export const canLetBotPlay = ({ chairs }: Pick<TableInfo, 'chairs'>): boolean =>
  chairs.filter(({ kind, here }) => kind === 'person' && here).length >= MIN_VOTES;
