// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadRecoveryCodes } from './table-storage';

let asked: string[] = [];
let offline = false;
let page: typeof import('./device-cookie');

/** The module as it is when the page has just been opened. */
const open = async (): Promise<void> => {
  vi.resetModules();
  page = await import('./device-cookie');
};

beforeEach(async () => {
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
  await open();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a cookie is asked for once', async () => {
  await page.ensureCookie();
  await page.ensureCookie();
  expect(asked).toEqual(['/cookie']);
});

test('the new recovery codes are kept', async () => {
  await page.logOutOtherDevices();
  expect(asked).toEqual(['/cookie/renewal', '/adoption']);
  expect(loadRecoveryCodes('abcdefghjk')).toEqual([[1, 'new']]);
});

test('what was interrupted is finished later, once', async () => {
  offline = true;
  await expect(page.logOutOtherDevices()).rejects.toThrow('offline');
  offline = false;
  asked = [];
  await page.finishLoggingOutOtherDevices();
  await page.finishLoggingOutOtherDevices();
  expect(asked).toEqual(['/adoption']);
  expect(loadRecoveryCodes('abcdefghjk')).toEqual([[1, 'new']]);
});

test('a cookie is renewed in time, and only where there is one', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-17') });
  await page.renewCookie();
  expect(asked).toEqual([]);
  await page.ensureCookie();
  asked = [];
  vi.setSystemTime(new Date('2026-12-10'));
  await open();
  await page.renewCookie();
  expect(asked).toEqual([]);
  vi.setSystemTime(new Date('2026-12-20'));
  await page.renewCookie();
  await page.renewCookie();
  expect(asked).toEqual(['/cookie']);
});

test('a cookie whose answer was lost is asked for again', async () => {
  const answer = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await expect(page.ensureCookie()).rejects.toThrow('offline');
  vi.stubGlobal('fetch', answer);
  await page.ensureCookie();
  expect(asked).toEqual(['/cookie']);
});

test('a new token whose answer was lost gets everything, too', async () => {
  const answer = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await expect(page.logOutOtherDevices()).rejects.toThrow('offline');
  vi.stubGlobal('fetch', answer);
  await page.finishLoggingOutOtherDevices();
  expect(asked).toEqual(['/adoption']);
});

test('what the server refused to move is tried again later', async () => {
  const refused = [{ table: 'abcdefghjk', reason: 'unavailable' }];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address.replace(/^.*\/api/, ''));
    return Promise.resolve(new Response(JSON.stringify({ seats: [], refused })));
  });
  await page.logOutOtherDevices();
  asked = [];
  await page.finishLoggingOutOtherDevices();
  expect(asked).toEqual(['/adoption']);
});

test('a new token has no notifications yet', async () => {
  localStorage.setItem(`pytlik.${page.NOTIFICATIONS_CONFIRMED_KEY}`, '5000');
  await page.logOutOtherDevices();
  expect(localStorage.getItem(`pytlik.${page.NOTIFICATIONS_CONFIRMED_KEY}`)).toBe('0');
});
