// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

let page: typeof import('./notifications.svelte').notifications;
let asked: [string, string, unknown][] = [];
let key: string | null = 'server-key';
let answer: NotificationPermission = 'granted';
let subscription: object | null = null;
const kept = new Map<string, string>();

const subscriptionOf = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'public', auth: 'secret' } }),
  unsubscribe: () => {
    subscription = null;
    return Promise.resolve(true);
  },
});

const pushManager = {
  getSubscription: () => Promise.resolve(subscription),
  subscribe: ({ applicationServerKey }: { applicationServerKey: string }) => {
    subscription ??= subscriptionOf(`https://push.example/${applicationServerKey}`);
    return Promise.resolve(subscription);
  },
};

/** The module as it is when the page has just been opened. */
async function open(): Promise<void> {
  vi.resetModules();
  asked = [];
  ({ notifications: page } = await import('./notifications.svelte'));
}

beforeEach(async () => {
  kept.clear();
  [key, answer, subscription] = ['server-key', 'granted', null];
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  vi.stubGlobal('fetch', (address: string, { method, body }: RequestInit) => {
    const path = address.replace(/^.*\/api/, '');
    asked.push([method!, path, body ? (JSON.parse(body as string) as unknown) : null]);
    return Promise.resolve(new Response(JSON.stringify({ key })));
  });
  const NotificationStub = {
    permission: 'default' as NotificationPermission,
    requestPermission: () => Promise.resolve((NotificationStub.permission = answer)),
  };
  vi.stubGlobal('Notification', NotificationStub);
  vi.stubGlobal('PushManager', {});
  const registration = { pushManager };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      getRegistration: () => Promise.resolve(registration),
      register: () => Promise.resolve(registration),
      ready: Promise.resolve(registration),
    },
  });
  await open();
});

const paths = () => asked.map(([method, path]) => `${method} ${path}`);

test('they are suggested until someone decides', async () => {
  expect(page.maySuggest).toBe(false);
  await page.loadState();
  expect([page.state, page.isOffered, page.maySuggest]).toEqual(['off', true, true]);
  page.decline();
  expect(page.maySuggest).toBe(false);
  await open();
  await page.loadState();
  expect([page.state, page.maySuggest]).toEqual(['off', false]);
});

test('the server is told where and in which language', async () => {
  await page.turnOn();
  expect(page.state).toBe('on');
  expect(asked.at(-1)).toEqual([
    'PUT',
    '/notifications',
    {
      endpoint: 'https://push.example/server-key',
      p256dh: 'public',
      auth: 'secret',
      language: 'en',
    },
  ]);
  await open();
  await page.loadState();
  expect(page.state).toBe('on');
});

test('one tap ends them, here and at the server', async () => {
  await page.turnOn();
  await page.turnOff();
  expect([page.state, page.maySuggest, subscription]).toEqual(['off', false, null]);
  expect(asked.at(-1)).toEqual([
    'POST',
    '/notifications/end',
    { endpoint: 'https://push.example/server-key' },
  ]);
});

test('where there are none, nothing is asked of the server', async () => {
  await page.turnOff();
  expect(asked).toEqual([]);
});

test('someone who says no to their browser is not asked again', async () => {
  answer = 'denied';
  await page.turnOn();
  expect([page.state, page.maySuggest]).toEqual(['blocked', false]);
  expect(paths()).toEqual(['GET /notifications']);
});

test('a server without notifications offers none', async () => {
  key = null;
  await page.loadState();
  expect([page.state, page.isOffered]).toEqual(['impossible', false]);
});

test('a browser without them can still nudge others', async () => {
  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ key }))));
  Reflect.deleteProperty(window, 'PushManager');
  await page.loadState();
  expect([page.state, page.isOffered]).toEqual(['impossible', true]);
});

test('what a device wants is confirmed once a day, and when the server has forgotten it', async () => {
  await page.confirmIfDue();
  expect(asked).toEqual([]);
  await page.turnOn();
  await open();
  await page.confirmIfDue();
  expect(asked).toEqual([]);
  kept.set('pytlik.notifications.confirmed', '0');
  await page.confirmIfDue();
  expect(paths()).toContain('PUT /notifications');
});

test('a permission that was withdrawn is not asked for again', async () => {
  await page.turnOn();
  kept.set('pytlik.notifications.confirmed', '0');
  (Notification as { permission: NotificationPermission }).permission = 'denied';
  await open();
  await page.confirmIfDue();
  expect(asked).toEqual([]);
});

test('a server that could not be asked is asked again', async () => {
  const answering = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await page.loadState();
  expect(page.state).toBe('unknown');
  vi.stubGlobal('fetch', answering);
  await page.loadState();
  expect(page.state).toBe('off');
});

test('whoever has switched them off is not notified again by the daily confirmation', async () => {
  await page.turnOn();
  await page.turnOff();
  kept.set('pytlik.notifications.confirmed', '0');
  await open();
  await page.confirmIfDue();
  expect(asked).toEqual([]);
});
