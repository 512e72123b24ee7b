// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let requests: string[];
let answer: () => Promise<Response>;
let api: typeof import('./circle-api');

beforeEach(async () => {
  localStorage.clear();
  requests = [];
  answer = () => Promise.resolve(new Response('[]'));
  vi.stubGlobal('fetch', (address: string) => {
    requests.push(address.replace(/^.*\/api/, ''));
    return requests.at(-1) === '/cookie' ? Promise.resolve(new Response('{}')) : answer();
  });
  vi.resetModules();
  api = await import('./circle-api');
});
afterEach(() => vi.unstubAllGlobals());

test('joining a circle requests a cookie first and is remembered', async () => {
  expect(api.mayHaveCircles()).toBe(false);
  await api.joinCircle('family', 'Ola');
  expect(requests).toEqual(['/cookie', '/circles/family/members']);
  expect(api.mayHaveCircles()).toBe(true);
});

test('a refused membership is not remembered', async () => {
  answer = () => Promise.resolve(new Response('{}', { status: 403 }));
  await expect(api.joinCircle('family', 'Ola')).rejects.toThrow();
  expect(api.mayHaveCircles()).toBe(false);
});

test('an empty list of circles is remembered', async () => {
  answer = () => Promise.resolve(new Response('[{"id":"family"}]'));
  await api.loadMyCircles();
  expect(api.mayHaveCircles()).toBe(true);
  answer = () => Promise.resolve(new Response('[]'));
  await api.loadMyCircles();
  expect(api.mayHaveCircles()).toBe(false);
});
