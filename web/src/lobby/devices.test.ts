import { beforeEach, expect, test, vi } from 'vitest';
import { endOtherDevices, finishEnding, haveCookie } from './devices';
import { keptCodes } from './kept';

let asked: string[] = [];
let offline = false;

beforeEach(() => {
  asked = [];
  offline = false;
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('fetch', (address: string) => {
    const path = address.replace(/^.*\/api/, '');
    asked.push(path);
    if (offline && path === '/adoption') return Promise.reject(new TypeError());
    const seats = [{ table: 'abcdefghjk', seat: 1, recovery: 'new' }];
    return Promise.resolve(new Response(JSON.stringify({ seats, refused: [] })));
  });
});

test('a cookie is asked for once', async () => {
  await haveCookie();
  await haveCookie();
  expect(asked).toEqual(['/cookie']);
});

test('the new recovery codes are kept', async () => {
  await endOtherDevices();
  expect(asked).toEqual(['/cookie/renewal', '/adoption']);
  expect(keptCodes('abcdefghjk')).toEqual([[1, 'new']]);
});

test('what was interrupted is finished later, once', async () => {
  offline = true;
  await expect(endOtherDevices()).rejects.toThrow('offline');
  offline = false;
  asked = [];
  await finishEnding();
  await finishEnding();
  expect(asked).toEqual(['/adoption']);
  expect(keptCodes('abcdefghjk')).toEqual([[1, 'new']]);
});
