// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { internalPath, parseRoute } from './router.svelte';

test.each([
  ['/', { page: 'home' }],
  ['/t/abcdefghjk', { page: 'table', table: 'abcdefghjk' }],
  ['/circle/abcdefghjkmn', { page: 'circle', circle: 'abcdefghjkmn' }],
  ['/circle', { page: 'missing' }],
  ['/replay/abcdefghjk/2', { page: 'replay', table: 'abcdefghjk', match: 2 }],
  ['/rules/unikat/', { page: 'rules', game: 'unikat' }],
  ['/rules/chess', { page: 'missing' }],
  ['/companion', { page: 'companion', game: null }],
  ['/nowhere', { page: 'missing' }],
])('%s', (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});

const link = (address: string): HTMLAnchorElement => {
  const anchor = document.createElement('a');
  anchor.href = address;
  return anchor;
};

test('a link keeps its query and its fragment', () => {
  expect(internalPath(link('/replay/abc/1?at=7'))).toBe('/replay/abc/1?at=7');
  expect(internalPath(link('/rules/unikat#chain'))).toBe('/rules/unikat#chain');
});

test('files and other sites are left to the browser', () => {
  expect(internalPath(link('/api/tables/abc/matches/1/file'))).toBeNull();
  expect(internalPath(link('https://example.org/'))).toBeNull();
});
