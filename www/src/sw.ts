// The service worker: keeps the page's own files, so that the next visit needs no network. It never sees a trace.
//
// The build fills in the list of files and a hash over them; another hash is another cache. The one before stays while a tab is open that
// may still ask for its files: a deployment takes them from the host. What few ask for is kept once it was used.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const CACHED_FILES: string[];
declare const KEPT_ONCE_USED: string[];
declare const BUILD_HASH: string;

const PREFIX = 'steplens-';
const CACHE = PREFIX + BUILD_HASH;
const PAGE = './';
/** An entry of the cache that is no file: the tabs that were open when this build took over. */
const TABS_BEFORE = './tabs-before';

self.addEventListener('install', (event) => {
  // `reload` passes by the browser's own cache, which may still hold files of the build before.
  const requests = [PAGE, ...CACHED_FILES].map((name) => new Request(name, { cache: 'reload' }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    noteTabs()
      .then(dropUnneeded)
      .then(() => self.clients.claim()),
  );
});

/** From the network while there is one, so that a new build is seen at once; else, and where the host has it no more, from what was kept. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  // A tab has come, and the one that was in its place is gone.
  if (request.destination === 'script') event.waitUntil(dropUnneeded());
  event.respondWith(
    fetch(request).then(
      async (response) => {
        // A redirection that the browser is to follow has the status 0.
        if (response.status >= 400) return (await kept(request)) ?? response;
        if (response.ok && KEPT_ONCE_USED.some((name) => request.url.endsWith(`/${name}`)))
          event.waitUntil(keep(request, response.clone()));
        return response;
      },
      async () => (await kept(request)) ?? Response.error(),
    ),
  );
});

async function keep(request: Request, response: Response): Promise<void> {
  await (await caches.open(CACHE)).put(request, response);
}

/** The copy of this build, else of one before. */
async function kept(request: Request): Promise<Response | undefined> {
  for (const name of [CACHE, ...(await cachesBefore())]) {
    const found = await caches.match(request, { ignoreSearch: true, cacheName: name });
    if (found) return found;
  }
  return undefined;
}

/** The caches of other builds of this page, the latest first. Another folder of the host may have a Steplens of its own. */
async function cachesBefore(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const is_ours = await Promise.all(names.map((name) => caches.match(PAGE, { cacheName: name })));
  return names.filter((_, at) => is_ours[at]).reverse();
}

/** Tabs have other ids once they are loaded again: those of now are all that may be of a build before. */
async function noteTabs(): Promise<void> {
  const ids = (await openTabs()).map(({ id }) => id);
  await (await caches.open(CACHE)).put(TABS_BEFORE, Response.json(ids));
}

async function dropUnneeded(): Promise<void> {
  const before = await cachesBefore();
  if (before.length === 0) return;
  const noted = await caches.match(TABS_BEFORE, { cacheName: CACHE });
  const ids = new Set(noted ? ((await noted.json()) as string[]) : []);
  if ((await openTabs()).some(({ id }) => ids.has(id))) return;
  await Promise.all(before.map((name) => caches.delete(name)));
}

const openTabs = (): Promise<readonly Client[]> => self.clients.matchAll({ type: 'window', includeUncontrolled: true });
