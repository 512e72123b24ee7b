/**
 * The page's own worker: it keeps the shell, so that an installed page opens at once, and can say
 * so when the server can't be reached. It never touches the game: nothing of /api is kept.
 *
 * shell.ts writes two lines above this when the page is built: VERSION, which changes with any file
 * of the page, and SHELL, the files that the page needs to show itself.
 */

/* global VERSION, SHELL */

const PREFIX = 'pytlik-';
const CACHE = `${PREFIX}${VERSION}`;
/** Where the page is, behind whatever proxy; every address of it is answered with the same shell. */
const HOME = new URL('./', self.location.href);
const ASSETS = new URL('assets/', HOME);
/** Which language the shell was asked for in is no matter: the page brings its own words. */
const ANY = { ignoreVary: true, ignoreSearch: true };

self.addEventListener('install', (event) => {
  const wanted = ['./', ...SHELL].map(
    (file) => new Request(new URL(file, HOME), { cache: 'no-cache' }),
  );
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

// A new version waits until no page of the old one is open: so a page never meets files of another
// version. The old one's are of no use then.
self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith(PREFIX) && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The first page came before there was a worker: it tells which files it has loaded.
self.addEventListener('message', (event) => {
  const { keep } = event.data ?? {};
  if (!Array.isArray(keep)) return;
  event.waitUntil(Promise.all(keep.filter(isAsset).map((url) => asset(new Request(url)))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isPage(request.url)) event.respondWith(page(request));
  else if (isAsset(request.url)) event.respondWith(asset(request));
});

const isAsset = (url) => typeof url === 'string' && url.startsWith(ASSETS.href);

function isPage(url) {
  if (!url.startsWith(HOME.href)) return false;
  return !/^(api|schema|health|metrics)(\/|$|\?)/.test(url.slice(HOME.href.length));
}

/** From the server; the shell that is kept, where it can't be reached. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(HOME.href, ANY);
    if (kept) return kept;
    throw error;
  }
}

/** What has its hash in its name never changes. */
async function asset(request) {
  const kept = await caches.match(request, ANY);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(CACHE);
    await cache.put(request, answer.clone());
  }
  return answer;
}
