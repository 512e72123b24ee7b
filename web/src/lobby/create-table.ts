/** From the first page to a table. */

import { call } from '../connection/api';
import { t } from '../lib/i18n.svelte';
import { router, type Game } from '../app/router.svelte';
import { settings } from '../lib/settings.svelte';
import type { ChairInfo, NewTableBody, SideName, TableAnswer, TableInfo } from '../lib/wire';
import { takeSeat } from '../connection/table-api';
import { keepSeconds, keptLevel } from '../connection/table-storage';

export const ownName = (chairs: readonly ChairInfo[] = []): string =>
  settings.chosen.name || guestName(chairs);

/** What somebody without a name is called, unlike the other guests at the table. */
export function guestName(chairs: readonly ChairInfo[], first = 1): string {
  const taken = chairs.map(({ name }) => name);
  const numbers = [...chairs, null].map((_, n) => first + n);
  const names = numbers.map((n) =>
    n === 1 ? t('page.lobby.guest') : t('page.lobby.guest_number', { n }),
  );
  return names.find((name) => !taken.includes(name)) ?? names[0]!;
}

async function create(body: NewTableBody): Promise<TableInfo> {
  return (await call<TableAnswer>('POST', '/tables', body)).table;
}

/** Against a bot, at once. */
export async function playNow(game: Game): Promise<void> {
  const table = await create({ game, chairs: 2 });
  await takeSeat(table, ownName(), 0);
  await call('PUT', `/tables/${table.id}/seats/1/bot`, { level: keptLevel() });
  await call('POST', `/tables/${table.id}/start`);
  router.go(`/t/${table.id}`);
}

/** A table with a seat for us; the others come by its link. */
export async function playWithFriends(game: Game): Promise<void> {
  const table = await create({ game });
  await takeSeat(table, ownName(), 0);
  router.go(`/t/${table.id}`);
}

/** This device hosts and shows the table; the seats are for phones. */
export async function playOnScreen(game: Game): Promise<void> {
  router.go(`/screen/${(await create({ game })).id}`);
}

/** All seats are this device's. Nobody is waited for: whoever holds the device is there. */
export async function passAround(
  game: Game,
  names: readonly string[],
  race: { pieces: SideName; seconds: number | null },
): Promise<void> {
  const agreement = { away_seconds: null };
  const options =
    game === 'ubongo'
      ? { pieces: race.pieces, same_puzzle: true, seconds: null, patience: null }
      : {};
  const table = await create({ game, chairs: names.length, options, agreement });
  if (game === 'ubongo') keepSeconds(table.id, race.seconds);
  for (const [seat, name] of names.entries()) await takeSeat(table, name, seat);
  await call('POST', `/tables/${table.id}/start`);
  router.go(`/t/${table.id}`);
}
