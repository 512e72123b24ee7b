// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let asked: string[];
let answer: () => Promise<Response>;
let page: typeof import('./circle-api');

beforeEach(async () => {
  localStorage.clear();
  asked = [];
  answer = () => Promise.resolve(new Response('[]'));
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address.replace(/^.*\/api/, ''));
    return asked.at(-1) === '/cookie' ? Promise.resolve(new Response('{}')) : answer();
  });
  vi.resetModules();
  page = await import('./circle-api');
});
afterEach(() => vi.unstubAllGlobals());

test('joining a circle asks for a cookie first, and is remembered', async () => {
  expect(page.mayHaveCircles()).toBe(false);
  await page.joinCircle('family', 'Ola');
  expect(asked).toEqual(['/cookie', '/circles/family/members']);
  expect(page.mayHaveCircles()).toBe(true);
});

test('a refused membership is not remembered', async () => {
  answer = () => Promise.resolve(new Response('{}', { status: 403 }));
  await expect(page.joinCircle('family', 'Ola')).rejects.toThrow();
  expect(page.mayHaveCircles()).toBe(false);
});

test('an empty list of circles is remembered', async () => {
  answer = () => Promise.resolve(new Response('[{"id":"family"}]'));
  await page.loadMyCircles();
  expect(page.mayHaveCircles()).toBe(true);
  answer = () => Promise.resolve(new Response('[]'));
  await page.loadMyCircles();
  expect(page.mayHaveCircles()).toBe(false);
});
