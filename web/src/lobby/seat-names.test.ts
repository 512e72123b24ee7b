// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import type { ChairInfo, Level } from '../lib/wire';
import { playerNames } from '../replay/describe-moment';
import { seatNames } from './seat-names';

beforeAll(() => translations.load('en'));

const EMPTY: ChairInfo = {
  name: '',
  kind: 'free',
  level: null,
  here: false,
  wins: 0,
  stand_in: false,
  stand_in_at: null,
  muted: false,
  against: [],
  for_bot: [],
  lag: null,
};
const bot = (level: Level): ChairInfo => ({ ...EMPTY, kind: 'bot', level });
const person = (name: string): ChairInfo => ({ ...EMPTY, kind: 'person', name, here: true });

test('a bot is named after its level, and the second of a level has a number', () => {
  const chairs = [bot('medium'), person('Ola'), bot('easy'), bot('medium')];
  expect(seatNames({ chairs })).toEqual(['Hexa', 'Ola', 'Rondo', 'Hexa\u00a02']);
});

test('only a bot in an abandoned seat is shown by its own name', () => {
  const left: ChairInfo = { ...EMPTY, stand_in: true, level: 'medium' };
  const away: ChairInfo = { ...person('Max'), here: false, stand_in: true, level: 'medium' };
  const chairs = [EMPTY, away, left, person('')];
  expect(seatNames({ chairs })).toEqual(['Free seat', 'Max', 'Hexa', 'Player 4']);
});

test('names are the same in the replay', () => {
  const sitters = [
    { name: 'Ola', level: null },
    { name: '', level: 'master' as const },
    { name: '', level: null },
    { name: '', level: 'master' as const },
  ];
  expect(playerNames(sitters)).toEqual(['Ola', 'Orion', 'Player 3', 'Orion\u00a02']);
});
