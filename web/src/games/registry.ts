/** The games, one line each. The only shared file that knows them by name. */

import type { GameName } from '../lib/wire';
import type { AnyGame } from './module';
import { ubongo } from './ubongo';
import { unikat } from './unikat';

const GAMES: Readonly<Record<GameName, AnyGame>> = { unikat, ubongo };

export const allGames: readonly AnyGame[] = Object.values(GAMES);

export const findGame = (name: GameName): AnyGame => GAMES[name];

export const isGameName = (text: string | undefined): text is GameName =>
  text !== undefined && Object.hasOwn(GAMES, text);
