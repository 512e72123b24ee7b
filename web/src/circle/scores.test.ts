// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import type { CircleInfo, CircleScore } from '../lib/wire';
import {
  ALL_TIME,
  formatSeason,
  memberName,
  records,
  seasonsOf,
  seatOwnerName,
  standings,
} from './scores';

const score = (member: number, some: Partial<CircleScore> = {}): CircleScore => ({
  season: ALL_TIME,
  game: 'unikat',
  member,
  played: 4,
  won: 1,
  streak: 0,
  longest: 1,
  margin: 0,
  ...some,
});

const circle: CircleInfo = {
  id: 'c',
  name: 'Family',
  members: [
    { id: 1, name: 'Ola' },
    { id: 3, name: '' },
  ],
  scores: [],
  tables: [],
};

beforeAll(() => translations.load('en'));

test('all time comes first, then the newest season', () => {
  const scores = ['2026-4', '', '2027-1', '2026-4'].map((season) => score(1, { season }));
  expect(seasonsOf(scores)).toEqual([ALL_TIME, '2027-1', '2026-4']);
  expect(seasonsOf([])).toEqual([ALL_TIME]);
});

test("a season is named in the reader's language", () => {
  expect(formatSeason('2026-4', 'en-GB')).toMatch(/^Oct.*Dec 2026$/);
  expect(formatSeason('2026-1', 'de-DE')).toMatch(/^Jan.*März 2026$/);
});

test('the most wins come first, then the fewest games', () => {
  const scores = [
    score(1, { won: 2, played: 9 }),
    score(2, { won: 3 }),
    score(3, { won: 2, played: 5 }),
    score(4, { won: 9, season: '2026-4' }),
    score(5, { won: 9, game: 'ubongo' }),
  ];
  expect(standings(scores, ALL_TIME, 'unikat').map(({ member }) => member)).toEqual([2, 3, 1]);
});

test('everyone who has reached a record holds it', () => {
  const scores = [score(1, { longest: 3 }), score(2, { longest: 3, margin: 12 }), score(3)];
  expect(records(scores, ALL_TIME, 'unikat')).toEqual([
    { kind: 'streak', value: 3, members: [1, 2] },
    { kind: 'margin', value: 12, members: [2] },
  ]);
  expect(records([score(1)], ALL_TIME, 'unikat')).toEqual([]);
});

test('members who have left or have no name get a placeholder', () => {
  expect([1, 2, 3].map((member) => memberName(circle, member))).toEqual([
    'Ola',
    'Former member',
    'Member 3',
  ]);
  const seat = { points: 0, won: false, helped: false };
  expect(seatOwnerName(circle, { ...seat, member: 1, bot: null })).toBe('Ola');
  expect(seatOwnerName(circle, { ...seat, member: null, bot: 'hard' })).toBe('Vega');
  expect(seatOwnerName(circle, { ...seat, member: null, bot: null })).toBe('Guest');
});
