// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadRecoveryCodes } from './table-storage';

let requests: string[] = [];
let offline = false;
let page: typeof import('./device-cookie');

/** Import the module anew, as when the page is opened. */
const open = async (): Promise<void> => {
  vi.resetModules();
  page = await import('./device-cookie');
};

beforeEach(async () => {
  requests = [];
  offline = false;
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('fetch', (address: string) => {
    const path = address.replace(/^.*\/api/, '');
    requests.push(path);
    if (offline && path === '/adoption') return Promise.reject(new TypeError());
    const seats = [{ table: 'abcdefghjk', seat: 1, recovery: 'new' }];
    return Promise.resolve(new Response(JSON.stringify({ seats, refused: [] })));
  });
  await open();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a cookie is requested only once', async () => {
  await page.ensureCookie();
  await page.ensureCookie();
  expect(requests).toEqual(['/cookie']);
});

test('new recovery codes are stored', async () => {
  await page.logOutOtherDevices();
  expect(requests).toEqual(['/cookie/renewal', '/adoption']);
  expect(loadRecoveryCodes('abcdefghjk')).toEqual([[1, 'new']]);
});

test('an interrupted log-out is finished later, once', async () => {
  offline = true;
  await expect(page.logOutOtherDevices()).rejects.toThrow('offline');
  offline = false;
  requests = [];
  await page.finishLoggingOutOtherDevices();
  await page.finishLoggingOutOtherDevices();
  expect(requests).toEqual(['/adoption']);
  expect(loadRecoveryCodes('abcdefghjk')).toEqual([[1, 'new']]);
});

test('an existing cookie is renewed once it is due', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-17') });
  await page.renewCookie();
  expect(requests).toEqual([]);
  await page.ensureCookie();
  requests = [];
  vi.setSystemTime(new Date('2026-12-10'));
  await open();
  await page.renewCookie();
  expect(requests).toEqual([]);
  vi.setSystemTime(new Date('2026-12-20'));
  await page.renewCookie();
  await page.renewCookie();
  expect(requests).toEqual(['/cookie']);
});

test('a cookie request whose answer was lost is repeated', async () => {
  const workingFetch = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await expect(page.ensureCookie()).rejects.toThrow('offline');
  vi.stubGlobal('fetch', workingFetch);
  await page.ensureCookie();
  expect(requests).toEqual(['/cookie']);
});

test('logging out is finished later if the answer with the new token was lost', async () => {
  const workingFetch = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await expect(page.logOutOtherDevices()).rejects.toThrow('offline');
  vi.stubGlobal('fetch', workingFetch);
  await page.finishLoggingOutOtherDevices();
  expect(requests).toEqual(['/adoption']);
});

test('logging out is repeated while the server refuses to move a seat', async () => {
  const refused = [{ table: 'abcdefghjk', reason: 'unavailable' }];
  vi.stubGlobal('fetch', (address: string) => {
    requests.push(address.replace(/^.*\/api/, ''));
    return Promise.resolve(new Response(JSON.stringify({ seats: [], refused })));
  });
  await page.logOutOtherDevices();
  requests = [];
  await page.finishLoggingOutOtherDevices();
  expect(requests).toEqual(['/adoption']);
});

test('notifications are confirmed again for a new token', async () => {
  localStorage.setItem(`pytlik.${page.NOTIFICATIONS_CONFIRMED_KEY}`, '5000');
  await page.logOutOtherDevices();
  expect(localStorage.getItem(`pytlik.${page.NOTIFICATIONS_CONFIRMED_KEY}`)).toBe('0');
});
