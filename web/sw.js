/**
 * The page's service worker. It keeps the shell, so that an installed page opens at once and can say
 * when the server can't be reached. It never touches the game: nothing under /api is kept. And it
 * shows the server's notifications, whether a page is open or not.
 *
 * At build time build-service-worker.ts puts two lines above this: VERSION, which changes with any
 * file of the page, and SHELL, the files that the page needs to show itself.
 */

/* global VERSION, SHELL */

const CACHE_PREFIX = 'pytlik-';
const CACHE_NAME = `${CACHE_PREFIX}${VERSION}`;
/** Where the page is, behind any proxy. Each of its addresses is answered with the same shell. */
const HOME_URL = new URL('./', self.location.href);
const ASSETS_URL = new URL('assets/', HOME_URL);
/** The language of the request doesn't matter: the page loads its own texts. */
const IGNORE_VARIANTS = { ignoreVary: true, ignoreSearch: true };

self.addEventListener('install', (event) => {
  const wanted = ['./', ...SHELL].map(
    (file) => new Request(new URL(file, HOME_URL), { cache: 'no-cache' }),
  );
  event.waitUntil(caches.open(CACHE_NAME).then((cache) => cache.addAll(wanted)));
});

// A new version waits until no page of the old one is open, so a page never meets files of another
// version. Then the old files can go.
self.addEventListener('activate', (event) => {
  const isOldCache = (name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOldCache).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The first page was loaded before there was a worker: it says which files it has loaded.
self.addEventListener('message', (event) => {
  const { keep } = event.data ?? {};
  if (!Array.isArray(keep)) return;
  event.waitUntil(Promise.all(keep.filter(isAsset).map((url) => fetchAsset(new Request(url)))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isPage(request.url)) event.respondWith(fetchPage(request));
  else if (isAsset(request.url)) event.respondWith(fetchAsset(request));
});

const isAsset = (url) => typeof url === 'string' && url.startsWith(ASSETS_URL.href);

function isPage(url) {
  if (!url.startsWith(HOME_URL.href)) return false;
  return !/^(api|schema|health|metrics)(\/|$|\?)/.test(url.slice(HOME_URL.href.length));
}

/** From the server, or the kept shell if it can't be reached. */
async function fetchPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(HOME_URL.href, IGNORE_VARIANTS);
    if (kept) return kept;
    throw error;
  }
}

/** Files with a hash in their name never change. */
async function fetchAsset(request) {
  const kept = await caches.match(request, IGNORE_VARIANTS);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(CACHE_NAME);
    await cache.put(request, answer.clone());
  }
  return answer;
}

// What the server sends, in the language that this browser has subscribed in (turn_notices.py).
self.addEventListener('push', (event) => {
  event.waitUntil(runInTurn(() => showTableNotification(event.data.json())));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(Promise.all([openTable(event.notification.data.table), runInTurn(showBadge)]));
});

self.addEventListener('notificationclose', (event) => {
  event.waitUntil(runInTurn(showBadge));
});

let previousWork = Promise.resolve();

/** One after another: Chromium forgets a notification that appears while it lists the others. */
function runInTurn(work) {
  const result = previousWork.then(work);
  previousWork = result.catch(() => undefined);
  return result;
}

/** A table's new notification takes the place of its old one. */
async function showTableNotification({ table, title, body }) {
  await self.registration.showNotification(title, {
    body,
    tag: table,
    renotify: true,
    icon: new URL('icon-192.png', HOME_URL).href,
    data: { table },
  });
  await showBadge();
}

/** How many tables wait, on the app's icon. */
async function showBadge() {
  const { length } = await self.registration.getNotifications();
  if (length) await navigator.setAppBadge?.(length);
  else await navigator.clearAppBadge?.();
}

async function openTable(table) {
  const address = new URL(`t/${encodeURIComponent(table)}`, HOME_URL).href;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => url.split(/[?#]/)[0] === address);
  return open ? open.focus() : self.clients.openWindow(address);
}
