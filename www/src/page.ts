// Starts the page in its document.
import { say } from './base/messages';
import { buildPage } from './views/app';
import { installApi } from './views/api';
import { carried, ownPage } from './engine/own_page';
import { RecentStore } from './engine/recent_store';
import { WorkerEngine } from './engine/worker_engine';
import { attempt, catchEverything, reportFailure } from './state/failures';
import { Frame } from './state/frame';
import { openQuietly } from './state/opened/open';
import { openFromAddress, watchOpened } from './state/opened/recent';
import { initialState, type Context } from './state/state';
import { version } from './base/version';

/**
 * When Chromium keeps the page's files it also compiles all of the script, which takes a fifth of a second of a core. So the page starts
 * first: on 2 cores, from the address to the first frame of the sample, 670 ms instead of 750.
 */
const KEEP_AFTER_MS = 2000;

export function startPage(): void {
  const page = ownPage();
  const state = initialState();
  const engine = new WorkerEngine(
    page,
    () => state.trace,
    (error) => reportFailure(context, say('failed-worker'), error),
  );
  const frame = new Frame((thrown) => reportFailure(context, say('failed-frame'), thrown));
  const context: Context = { state, engine, frame, page, version, recent_store: new RecentStore() };
  catchEverything(context);
  const root = document.getElementById('app');
  if (!root) throw new Error('the document has no #app');
  buildPage(context, root);
  installApi(context);
  const inside = carried();
  if (inside)
    attempt(
      context,
      say('not-opened'),
      inside.sources.then((sources) => openQuietly(context, sources, { options: inside.options, view: location.hash || inside.view })),
    );
  else if (page.fileUrl('') !== null) {
    attempt(context, say('not-opened'), openFromAddress(context));
    watchOpened(context);
    keepForOffline(context, page.fileUrl('sw.js'));
  }
}

/** Where the page is hosted, a service worker keeps it for the next visit without a network; once nobody waits for anything else. */
function keepForOffline(context: Context, script: string | null): void {
  if (script === null || !('serviceWorker' in navigator) || !isSecureContext) return;
  setTimeout(() => {
    if (context.state.loading) keepForOffline(context, script);
    else
      navigator.serviceWorker.register(script).catch(() => {
        // No failure: a browser may refuse it, and without it the page works all the same, only not offline.
      });
  }, KEEP_AFTER_MS);
}
