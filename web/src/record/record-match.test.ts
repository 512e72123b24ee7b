// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../connection/api';
import type { ChairInfo, GameName, Level, TableInfo, View } from '../lib/wire';
import { recordMatch, strongestLevelIfAllBots, winsInARowUpTo } from './record-match';
import { loadRecord } from './stored-record';

vi.mock('../connection/api', () => ({ call: vi.fn() }));

const bot = (level: Level) => ({ kind: 'bot', level }) as ChairInfo;
const PERSON = { kind: 'person', level: null } as ChairInfo;

const ended = (game: GameName, chairs: ChairInfo[], winners: number[], yours = [0]) => ({
  info: { id: 'abc', match: 2, game, chairs } as TableInfo,
  yours,
  latestView: { outcome: { winners, points: [] } } as unknown as View,
});

const NOW = 1_763_000_000_000;
const MATCH = { id: 'abc.2', at: NOW };
const recorded = () => loadRecord().matches;

beforeEach(() => {
  localStorage.clear();
  vi.setSystemTime(NOW);
  const laid = (seat: number, count: number) => ({
    kind: 'chain_laid',
    seat,
    tiles: Array.from({ length: count }, () => ({})),
  });
  const events = [laid(0, 2), laid(1, 9), laid(0, 5), { kind: 'tile_drawn', seat: 0 }];
  vi.mocked(call).mockReset();
  vi.mocked(call).mockResolvedValue({ seq: 4, events, actors: [] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a match counts against the strongest bot', async () => {
  await recordMatch(ended('ubongo', [PERSON, bot('hard'), bot('easy')], [0]));
  expect(recorded()).toEqual([{ ...MATCH, game: 'ubongo', level: 'hard', won: true }]);
  expect(call).not.toHaveBeenCalled();
});

test('a match of Unikat has our own longest chain', async () => {
  await recordMatch(ended('unikat', [PERSON, bot('medium')], [1]));
  const match = { ...MATCH, game: 'unikat', level: 'medium', won: false, chain: 5 };
  expect(recorded()).toEqual([match]);
});

test('a match counts even if its events cannot be read, and never twice', async () => {
  vi.mocked(call).mockRejectedValue(new Error('offline'));
  const match = ended('unikat', [PERSON, PERSON], [0, 1]);
  await expect(recordMatch(match)).rejects.toThrow('offline');
  await recordMatch(match);
  expect(recorded()).toEqual([{ ...MATCH, game: 'unikat', level: null, won: true }]);
});

test('nothing is recorded for spectators, on a shared device or before the end', async () => {
  const chairs = [PERSON, PERSON];
  await recordMatch(ended('ubongo', chairs, [0], []));
  await recordMatch(ended('ubongo', chairs, [0], [0, 1]));
  await recordMatch({ ...ended('ubongo', chairs, [0]), latestView: { outcome: null } as View });
  expect(recorded()).toEqual([]);
});

test('a bot in an abandoned seat counts', () => {
  const left = { kind: 'free', stand_in: true, level: 'medium' } as ChairInfo;
  expect(strongestLevelIfAllBots([left])).toBe('medium');
  expect(strongestLevelIfAllBots([left, PERSON])).toBe(null);
});

test('wins in a row are counted up to a match, and a loss resets them', async () => {
  const chairs = [PERSON, bot('easy')];
  const play = (match: number, winner: number) => {
    const one = ended('ubongo', chairs, [winner]);
    return recordMatch({ ...one, info: { ...one.info!, match } });
  };
  await play(1, 0);
  await play(2, 0);
  await play(3, 1);
  const { id } = ended('ubongo', chairs, [0]).info!;
  expect([1, 2, 3].map((match) => winsInARowUpTo(`${id}.${match}`))).toEqual([1, 2, 0]);
  // A match that isn't recorded, as on a device that is passed around.
  expect(winsInARowUpTo('nowhere.1')).toBe(0);
});
