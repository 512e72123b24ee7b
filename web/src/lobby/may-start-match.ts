/** Who may start the match of a table. */

import type { TableInfo } from '../lib/wire';

/**
 * The seat that may start it: the host's, or the first that a person has if the host is a
 * television. Undefined while nobody but that television may.
 */
export function seatThatMayStart({ host_seat, chairs }: Pick<TableInfo, 'host_seat' | 'chairs'>) {
  if (host_seat !== null) return host_seat;
  const first = chairs.findIndex(({ kind }) => kind === 'person');
  return first < 0 ? undefined : first;
}

export const mayStartMatch = (
  { host, yours }: { host: boolean; yours: readonly number[] },
  info: Pick<TableInfo, 'host_seat' | 'chairs'>,
): boolean => host || yours.includes(seatThatMayStart(info) ?? -1);
