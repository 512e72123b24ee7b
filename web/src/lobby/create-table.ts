/** Creating a table from the first page or a circle's. */

import { call } from '../connection/api';
import { takeSeat } from '../connection/table-api';
import { hasPlayed, loadBotLevel } from '../connection/table-storage';
import type { PassAndPlayChoices } from '../games/module';
import { t } from '../lib/i18n.svelte';
import { navigate } from '../lib/navigation';
import { settings } from '../lib/settings.svelte';
import {
  PLAYERS,
  type ChairInfo,
  type GameName,
  type NewTableBody,
  type TableAnswer,
  type TableInfo,
} from '../lib/wire';

export const ownOrGuestName = (chairs: readonly ChairInfo[] = []): string =>
  settings.chosen.name || guestName(chairs);

/** A name for somebody without one, different from those of the other guests at the table. */
export function guestName(chairs: readonly ChairInfo[], first = 1): string {
  const taken = chairs.map(({ name }) => name);
  const numbers = [...chairs, null].map((_, n) => first + n);
  const names = numbers.map((n) =>
    n === 1 ? t('page.lobby.guest') : t('page.lobby.guest_number', { n }),
  );
  return names.find((name) => !taken.includes(name)) ?? names[0]!;
}

async function createTable(body: NewTableBody): Promise<TableInfo> {
  return (await call<TableAnswer>('POST', '/tables', body)).table;
}

/**
 * Play at once, against as few bots as the game allows. A newcomer gets a deal with which they can
 * lay at once, if the game has one; the table says so.
 */
export async function playNow(game: GameName): Promise<void> {
  const chairs = PLAYERS[game].fewest;
  const table = await createTable({ game, chairs, first_game: !hasPlayed(game) });
  await takeSeat(table, ownOrGuestName(), 0);
  for (let seat = 1; seat < chairs; seat++)
    await call('PUT', `/tables/${table.id}/seats/${seat}/bot`, { level: loadBotLevel() });
  await call('POST', `/tables/${table.id}/start`);
  navigate(`/t/${table.id}`);
}

/** Open a table with a seat for us; the others come by its link. */
export async function playWithFriends(game: GameName): Promise<void> {
  const table = await createTable({ game });
  await takeSeat(table, ownOrGuestName(), 0);
  navigate(`/t/${table.id}`);
}

/** Open a table where games count in a circle, with a seat for us. */
export async function playInCircle(game: GameName, circle: string, name: string): Promise<void> {
  const table = await createTable({ game, circle });
  await takeSeat(table, name || ownOrGuestName(), 0);
  navigate(`/t/${table.id}`);
}

/** Show the table on this device; the seats are for phones. */
export async function playOnTelevision(game: GameName): Promise<void> {
  navigate(`/screen/${(await createTable({ game })).id}`);
}

/** Give all seats to this device. Nobody can be away: whoever is to move has the device. */
export async function playOnOneDevice(
  game: GameName,
  names: readonly string[],
  choices: PassAndPlayChoices,
): Promise<void> {
  const agreement = { away_seconds: null };
  const { options } = choices;
  const table = await createTable({ game, chairs: names.length, options, agreement });
  choices.rememberForTable?.(table.id);
  for (const [seat, name] of names.entries()) await takeSeat(table, name, seat);
  await call('POST', `/tables/${table.id}/start`);
  navigate(`/t/${table.id}`);
}
