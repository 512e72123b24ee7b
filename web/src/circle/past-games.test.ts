// @vitest-environment happy-dom
import { mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { translations } from '../lib/i18n.svelte';
import type { CircleInfo, CircleResults } from '../lib/wire';
import { loadResults } from './circle-api';
import PastGames from './PastGames.svelte';

vi.mock('./circle-api', () => ({ loadResults: vi.fn() }));

const settle = () => new Promise((done) => setTimeout(done));
/** A page of results, the newest first. */
const page = (more: boolean, ...matches: number[]) =>
  ({
    more,
    results: matches.map((match) => ({
      table: 'abc',
      match,
      game: 'unikat',
      ended: 0,
      rounds: null,
      seats: [],
      replay: true,
    })),
  }) as unknown as CircleResults;

let stop: () => unknown;
beforeAll(() => translations.load('en'));
afterEach(() => stop());

const shown = () =>
  [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')?.split('/').at(-1));
const moreButton = () => document.querySelector('button');

test('clicking twice for older games adds them once', async () => {
  vi.mocked(loadResults).mockResolvedValueOnce(page(true, 5, 4));
  const circle = { id: 'family', members: [] } as unknown as CircleInfo;
  const component = mount(PastGames, { target: document.body, props: { circle } });
  stop = () => unmount(component);
  await settle();
  expect(shown()).toEqual(['5', '4']);

  vi.mocked(loadResults).mockResolvedValue(page(false, 3));
  moreButton()!.click();
  moreButton()!.click();
  await settle();
  expect(shown()).toEqual(['5', '4', '3']);
  expect(vi.mocked(loadResults).mock.calls).toEqual([
    ['family', null],
    ['family', 'abc.4'],
  ]);
  expect(moreButton()).toBeNull();
});
