// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

let page: typeof import('./notifications.svelte').notifications;
let requests: [string, string, unknown][] = [];
let key: string | null = 'server-key';
let answer: NotificationPermission = 'granted';
let subscription: object | null = null;
const stored = new Map<string, string>();

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

/** Import the module anew, as when the page is opened. */
async function open(): Promise<void> {
  vi.resetModules();
  requests = [];
  ({ notifications: page } = await import('./notifications.svelte'));
}

beforeEach(async () => {
  stored.clear();
  [key, answer, subscription] = ['server-key', 'granted', null];
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  vi.stubGlobal('fetch', (address: string, { method, body }: RequestInit) => {
    const path = address.replace(/^.*\/api/, '');
    requests.push([method!, path, body ? (JSON.parse(body as string) as unknown) : null]);
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

const paths = () => requests.map(([method, path]) => `${method} ${path}`);

test('notifications are suggested until they are declined', async () => {
  expect(page.maySuggest).toBe(false);
  await page.loadState();
  expect([page.state, page.isOffered, page.maySuggest]).toEqual(['off', true, true]);
  page.decline();
  expect(page.maySuggest).toBe(false);
  await open();
  await page.loadState();
  expect([page.state, page.maySuggest]).toEqual(['off', false]);
});

test('turning on sends the subscription and the language', async () => {
  await page.turnOn();
  expect(page.state).toBe('on');
  expect(requests.at(-1)).toEqual([
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

test('turning off unsubscribes here and on the server', async () => {
  await page.turnOn();
  await page.turnOff();
  expect([page.state, page.maySuggest, subscription]).toEqual(['off', false, null]);
  expect(requests.at(-1)).toEqual([
    'POST',
    '/notifications/end',
    { endpoint: 'https://push.example/server-key' },
  ]);
});

test('turning off without a subscription sends no request', async () => {
  await page.turnOff();
  expect(requests).toEqual([]);
});

test('a denied permission blocks notifications and their suggestion', async () => {
  answer = 'denied';
  await page.turnOn();
  expect([page.state, page.maySuggest]).toEqual(['blocked', false]);
  expect(paths()).toEqual(['GET /notifications']);
});

test('a server without notifications does not offer them', async () => {
  key = null;
  await page.loadState();
  expect([page.state, page.isOffered]).toEqual(['impossible', false]);
});

test('a browser without notifications can still nudge others', async () => {
  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ key }))));
  Reflect.deleteProperty(window, 'PushManager');
  await page.loadState();
  expect([page.state, page.isOffered]).toEqual(['impossible', true]);
});

test('the subscription is confirmed when it is due', async () => {
  await page.confirmIfDue();
  expect(requests).toEqual([]);
  await page.turnOn();
  await open();
  await page.confirmIfDue();
  expect(requests).toEqual([]);
  stored.set('pytlik.notifications.confirmed', '0');
  await page.confirmIfDue();
  expect(paths()).toContain('PUT /notifications');
});

test('a withdrawn permission is not requested again', async () => {
  await page.turnOn();
  stored.set('pytlik.notifications.confirmed', '0');
  (Notification as { permission: NotificationPermission }).permission = 'denied';
  await open();
  await page.confirmIfDue();
  expect(requests).toEqual([]);
});

test('a failed request for the state is repeated', async () => {
  const workingFetch = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
  await page.loadState();
  expect(page.state).toBe('unknown');
  vi.stubGlobal('fetch', workingFetch);
  await page.loadState();
  expect(page.state).toBe('off');
});

test('the daily confirmation does not turn notifications on again', async () => {
  await page.turnOn();
  await page.turnOff();
  stored.set('pytlik.notifications.confirmed', '0');
  await open();
  await page.confirmIfDue();
  expect(requests).toEqual([]);
});
