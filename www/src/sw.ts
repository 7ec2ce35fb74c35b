// The service worker: keeps the page's own files, so that the next visit needs no network. It never sees a trace.
//
// The build fills in the list of files and a hash over them; another hash is another cache, and the old one goes. What few ask for is kept
// once it was used.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const CACHED_FILES: string[];
declare const KEPT_ONCE_USED: string[];
declare const BUILD_HASH: string;

const CACHE = `steplens-${BUILD_HASH}`;

self.addEventListener('install', (event) => {
  // `reload` passes by the browser's own cache, which may still hold files of the build before.
  const requests = ['./', ...CACHED_FILES].map((name) => new Request(name, { cache: 'reload' }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const ours = (name: string) => name.startsWith('steplens-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(ours).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** From the network while there is one, so that a new build is seen at once; else from what was kept. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(
    fetch(request).then(
      (response) => {
        if (response.ok && KEPT_ONCE_USED.some((name) => request.url.endsWith(`/${name}`)))
          event.waitUntil(keep(request, response.clone()));
        return response;
      },
      async () => (await caches.match(request, { ignoreSearch: true, cacheName: CACHE })) ?? Response.error(),
    ),
  );
});

async function keep(request: Request, response: Response): Promise<void> {
  await (await caches.open(CACHE)).put(request, response);
}
