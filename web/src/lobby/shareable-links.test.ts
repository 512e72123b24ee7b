// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

let answer: () => Promise<Response>;
let requestCount = 0;

const open = async (hostname: string) => {
  vi.stubGlobal('location', new URL(`http://${hostname}:8000/games/t/abc`));
  vi.resetModules();
  return (await import('./shareable-links.svelte')).shareableLinks;
};

const lan = (host: string | null) => () => Promise.resolve(new Response(JSON.stringify({ host })));

beforeEach(() => {
  requestCount = 0;
  answer = lan(null);
  vi.stubGlobal('fetch', () => {
    requestCount += 1;
    return answer();
  });
});

test.each(['games.example', '192.168.1.7', 'localhost.example', 'notlocalhost'])(
  'everyone can open links to %s, and the server is not asked',
  async (hostname) => {
    const links = await open(hostname);
    await links.findLanHost();
    expect([links.reach, links.url('/t/abc')]).toEqual([
      'everyone',
      `http://${hostname}:8000/t/abc`,
    ]);
    expect(requestCount).toBe(0);
  },
);

test.each(['localhost', 'pytlik.localhost', '127.0.0.1', '[::1]'])(
  'links to %s become links to the LAN address',
  async (hostname) => {
    answer = lan('192.168.1.7');
    const links = await open(hostname);
    expect(links.reach).toBeUndefined();
    await Promise.all([links.findLanHost(), links.findLanHost()]);
    expect([links.reach, links.url('/t/abc#code=x')]).toEqual([
      'network',
      'http://192.168.1.7:8000/t/abc#code=x',
    ]);
    expect(requestCount).toBe(1);
  },
);

test('a server without a LAN address has links for this computer only', async () => {
  const links = await open('localhost');
  await links.findLanHost();
  expect([links.reach, links.url('/t/abc')]).toEqual([
    'this_computer',
    'http://localhost:8000/t/abc',
  ]);
});

test('a failed request is retried', async () => {
  const links = await open('localhost');
  answer = () => Promise.reject(new TypeError());
  await links.findLanHost();
  expect(links.reach).toBeUndefined();
  answer = lan('192.168.1.7');
  await links.findLanHost();
  expect(links.reach).toBe('network');
});
