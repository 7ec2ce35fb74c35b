// The one script of the project's page. In a document it is the page; in a worker it is the engine behind it.
import { buildPage } from './views/app';
import { installApi } from './views/api';
import { carried, ownPage } from './engine/own_page';
import { serveWorker } from './engine/worker';
import { WorkerEngine } from './engine/worker_engine';
import { Frame } from './state/frame';
import { openQuietly } from './state/open';
import { initialState, type Context } from './state/state';
import { version } from './base/version';

function startPage(): void {
  const page = ownPage();
  const engine = new WorkerEngine(page);
  const context: Context = { state: initialState(), engine, frame: new Frame(), page, version };
  const root = document.getElementById('app');
  if (!root) throw new Error('the document has no #app');
  buildPage(context, root);
  installApi(context);
  const inside = carried();
  if (inside)
    void inside.sources.then((sources) => openQuietly(context, sources, inside.options, location.hash || inside.view));
  else if (page.beside('') !== null) keepForOffline(page.beside('sw.js'));
}

/** Where the page is hosted, a service worker keeps it for the next visit without a network. */
function keepForOffline(script: string | null): void {
  if (script === null || !('serviceWorker' in navigator) || !isSecureContext) return;
  // Without it the page works all the same, only not offline.
  navigator.serviceWorker.register(script).catch(() => undefined);
}

if (typeof document === 'undefined') serveWorker();
else startPage();
