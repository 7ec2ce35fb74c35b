// Starts the page in its document.
import { say } from './base/messages';
import { buildPage } from './views/app';
import { giveToWriter, installApi } from './views/api';
import { noteFleetAddress } from './state/fleet/address';
import { showFleetAt } from './views/start/fleet_folder';
import { carried, carriedOther, ownPage } from './engine/own_page';
import { servedFleet } from './engine/fleet/served';
import { servedFolder } from './engine/watched/served';
import { RecentStore } from './engine/recent_store';
import { WorkerEngine } from './engine/worker_engine';
import { attempt, catchEverything, reportFailure } from './state/failures';
import { Frame } from './state/frame';
import { LaterPart } from './state/later';
import { restoreOther } from './state/opened/compare';
import { openQuietly } from './state/opened/open';
import { openFromAddress, watchOpened } from './state/opened/recent';
import { initialState, type Context, type Later } from './state/state';
import { version } from './base/version';

/**
 * When Chromium keeps the page's files it also compiles all of the script, which takes a fifth of a second of a core. So the page starts
 * first: on 2 cores, from the address to the first frame of the sample, 670 ms instead of 750.
 */
const KEEP_AFTER_MS = 2000;

/** `load_later` loads the later part of the page. */
export function startPage(load_later: (again: number) => Promise<Later>): void {
  const page = ownPage();
  const state = initialState();
  const engine = new WorkerEngine(
    page,
    () => state.trace,
    (error) => reportFailure(context, say('failed-worker'), error),
  );
  const frame = new Frame((thrown) => reportFailure(context, say('failed-frame'), thrown));
  const later = new LaterPart(load_later);
  const context: Context = { state, engine, frame, page, later, version, recent_store: new RecentStore() };
  catchEverything(context);
  const root = document.getElementById('app');
  if (!root) throw new Error('the document has no #app');
  buildPage(context, root);
  installApi(context);
  loadLater(context);
  const served = servedFolder();
  if (served)
    attempt(
      context,
      say('watch-failed'),
      later.get().then((parts) => parts.watchPicked(context, served)),
    );
  const fleet = servedFleet();
  if (fleet) showFleetAt(context, fleet);
  else noteFleetAddress(context);
  const inside = carried();
  if (inside)
    attempt(
      context,
      say('not-opened'),
      inside.sources.then((sources) => {
        giveToWriter(context, sources);
        return openQuietly(context, sources, { options: inside.options, view: location.hash || inside.view }).then(() =>
          carriedOther()?.sources.then((other) => restoreOther(context, other)),
        );
      }),
    );
  else if (page.fileUrl('') !== null) {
    attempt(context, say('not-opened'), openFromAddress(context));
    watchOpened(context);
    keepForOffline(context, page.fileUrl('sw.js'));
  }
}

/** The first frame comes before the later part of the page, which is then there before somebody asks for it. */
function loadLater({ state, frame, later }: Context): void {
  frame.afterDrawn(() =>
    setTimeout(() => {
      // The drawer of the trace that is opened asks for it, once that has its first frame.
      if (state.loading) return;
      later.get().catch(() => {
        // Whoever needs it says that it is missing, and offers to try again.
      });
    }),
  );
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
