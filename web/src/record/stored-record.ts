/**
 * What this browser remembers of its own matches and puzzles of the day: there are no accounts, so
 * nobody else does. It's a list of results without names, so that a record from another browser can
 * be merged into it at any time.
 */

import { markSolved, loadSolvedDays } from '../daily/solved-days';
import { allGames } from '../games/registry';
import { storage } from '../lib/storage';
import { LEVELS, type GameName, type Level } from '../lib/wire';

export interface PlayedMatch {
  /** The table's code and the number of the match. */
  id: string;
  game: GameName;
  /** When it was over. */
  at: number;
  /** Of the strongest bot; null if other people played. */
  level: Level | null;
  won: boolean;
  /** The most tiles in one chain, in a game that has chains. */
  chain?: number;
}

export interface DailyPlace {
  game: GameName;
  day: string;
  /** Which of the day's puzzles. */
  kind: string;
  place: number;
  /** How many had a place. */
  ranked: number;
}

export interface StoredRecord {
  matches: readonly PlayedMatch[];
  dailies: readonly DailyPlace[];
}

interface RecordFile extends StoredRecord {
  kind: typeof FILE_KIND;
  version: 1;
  /** The days whose puzzle was solved. */
  days: Partial<Record<GameName, readonly string[]>>;
}

const STORAGE_KEY = 'record';
const FILE_KIND = 'pytlik record';
/** Many years of playing, and a small part of what a browser keeps. */
const MOST_MATCHES = 5000;
const MOST_DAILIES = 1000;

export const loadRecord = (): StoredRecord =>
  storage.get<StoredRecord>(STORAGE_KEY, { matches: [], dailies: [] });

/** Of entries with the same key the last one is kept, in the place of the first. */
const mergeBy = <T>(key: (one: T) => string, ...lists: (readonly T[])[]): T[] => [
  ...new Map(lists.flat().map((one) => [key(one), one])).values(),
];

/** Save several records as one; of two entries about the same match, the later one counts. */
function saveMerged(...records: readonly Partial<StoredRecord>[]): void {
  const matches = mergeBy(({ id }) => id, ...records.map((record) => record.matches ?? []));
  const dailies = mergeBy(
    ({ game, day, kind }) => `${game} ${day} ${kind}`,
    ...records.map((record) => record.dailies ?? []),
  );
  storage.set(STORAGE_KEY, {
    matches: matches.sort((one, other) => one.at - other.at).slice(-MOST_MATCHES),
    dailies: dailies.sort((one, other) => (one.day < other.day ? -1 : 1)).slice(-MOST_DAILIES),
  });
}

export const saveMatch = (match: PlayedMatch): void =>
  saveMerged(loadRecord(), { matches: [match] });

export const saveDailyPlace = (result: DailyPlace): void =>
  saveMerged(loadRecord(), { dailies: [result] });

// ------------------------------------------------------------------------------------------ files

/** Everything, for another browser to import. */
export function exportRecordFile(): string {
  const days = Object.fromEntries(allGames.map(({ name }) => [name, [...loadSolvedDays(name)]]));
  const file: RecordFile = { kind: FILE_KIND, version: 1, ...loadRecord(), days };
  return JSON.stringify(file);
}

/** Add a file's entries. Returns how many matches were new; null if it isn't such a file. */
export function importRecordFile(text: string): number | null {
  const file = parseRecordFile(text);
  if (!file) return null;
  const before = loadRecord();
  saveMerged(file, before);
  for (const { name } of allGames) markSolved(name, ...(file.days[name] ?? []));
  return loadRecord().matches.length - before.matches.length;
}

function parseRecordFile(text: string): RecordFile | null {
  let file: Partial<RecordFile> | null;
  try {
    file = JSON.parse(text) as Partial<RecordFile> | null;
  } catch {
    return null;
  }
  const isWhole =
    file?.kind === FILE_KIND &&
    file.version === 1 &&
    isListOf(file.matches, isMatch) &&
    isListOf(file.dailies, isDailyPlace) &&
    Object.values(file.days ?? { missing: null }).every((days) => isListOf(days, isDay));
  return isWhole ? (file as RecordFile) : null;
}

const isListOf = <T>(value: unknown, isOne: (one: T) => boolean): boolean =>
  Array.isArray(value) && value.every((one: T | null) => one !== null && isOne(one));

const isGame = (name: unknown): boolean => allGames.some((game) => game.name === name);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

const isMatch = ({ id, game, at, level, won, chain }: PlayedMatch): boolean =>
  typeof id === 'string' &&
  isGame(game) &&
  isCount(at) &&
  (level === null || LEVELS.includes(level)) &&
  typeof won === 'boolean' &&
  (chain === undefined || isCount(chain));

const isDailyPlace = ({ game, day, kind, place, ranked }: DailyPlace): boolean =>
  isGame(game) && isDay(day) && typeof kind === 'string' && isCount(place) && isCount(ranked);
