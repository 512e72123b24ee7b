// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { markSolved, loadSolvedDays } from '../daily/solved-days';
import {
  importRecordFile,
  loadRecord,
  saveDailyPlace,
  saveMatch,
  exportRecordFile,
  type PlayedMatch,
} from './stored-record';

const match = (id: string, more: Partial<PlayedMatch> = {}): PlayedMatch => ({
  id,
  game: 'unikat',
  at: 1000,
  level: 'easy',
  won: true,
  ...more,
});
const place = { game: 'ubongo', day: '2026-11-17', kind: '3', place: 1, ranked: 1 } as const;

beforeEach(() => localStorage.clear());

test('a match is stored once, and later details are added', () => {
  saveMatch(match('a.1'));
  saveMatch(match('a.2', { at: 2000 }));
  saveMatch(match('a.1', { chain: 4 }));
  expect(loadRecord().matches).toEqual([match('a.1', { chain: 4 }), match('a.2', { at: 2000 })]);
});

test('the last known place in a daily puzzle counts', () => {
  saveDailyPlace(place);
  saveDailyPlace({ ...place, place: 2, ranked: 9 });
  saveDailyPlace({ ...place, kind: '4' });
  expect(loadRecord().dailies).toEqual([
    { ...place, place: 2, ranked: 9 },
    { ...place, kind: '4' },
  ]);
});

test('importing a file adds only what is missing, however often', () => {
  saveMatch(match('a.1'));
  saveMatch(match('a.2', { at: 3000, level: null, won: false }));
  saveDailyPlace(place);
  markSolved('ubongo', '2026-11-16', '2026-11-17');
  const file = exportRecordFile();

  localStorage.clear();
  saveMatch(match('a.1', { chain: 5 }));
  saveMatch(match('b.1', { at: 2000 }));
  markSolved('ubongo', '2026-11-17');
  expect(importRecordFile(file)).toBe(1);
  expect(importRecordFile(file)).toBe(0);
  const { matches, dailies } = loadRecord();
  expect(matches.map(({ id }) => id)).toEqual(['a.1', 'b.1', 'a.2']);
  expect(matches[0]!.chain).toBe(5);
  expect(dailies).toEqual([place]);
  expect([...loadSolvedDays('ubongo')]).toEqual(['2026-11-16', '2026-11-17']);
});

const file = (more: object) =>
  JSON.stringify({
    kind: 'pytlik record',
    version: 1,
    matches: [],
    dailies: [],
    days: {},
    ...more,
  });

test('a file is imported only if all of it is valid', () => {
  expect(importRecordFile(file({}))).toBe(0);
  const wrong = [
    '',
    'null',
    '[]',
    '{"kind":"pytlik record","version":1}',
    file({ kind: 'match' }),
    file({ version: 2 }),
    file({ matches: [null] }),
    file({ matches: [match('a.1', { game: 'chess' as 'unikat' })] }),
    file({ matches: [match('a.1', { level: 'genius' as 'easy' })] }),
    file({ matches: [match('a.1', { chain: -1 })] }),
    file({ matches: [match('a.1', { at: 0.5 })] }),
    file({ matches: [{ ...match('a.1'), won: 'yes' }] }),
    file({ dailies: [{ ...place, day: 'today' }] }),
    file({ dailies: [{ ...place, place: '1' }] }),
    file({ days: null }),
    file({ days: { unikat: 'all' } }),
    file({ days: { unikat: [1] } }),
  ];
  for (const text of wrong) expect(importRecordFile(text), text).toBe(null);
  expect(loadRecord()).toEqual({ matches: [], dailies: [] });
});
