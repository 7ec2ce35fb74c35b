// Recent traces: each is kept by the browser as a session, so that a reload, Back and Forward bring it back without asking.
//
// The entry of the browser's history says which trace it is about; the fragment says at which view. Nothing is kept for a page from
// disk, for an export, or while the user has switched it off.
import { say } from '../../base/messages';
import type { RecentTrace } from '../../engine/recent_store';
import { EngineError, errorBody, SUPERSEDED } from '../../engine/errors';
import { attempt, showError } from '../failures';
import { cause, Changed } from '../frame';
import type { Context, State } from '../state';
import type { OpenTrace } from '../types';
import { forget, keep as keepPreference } from '../ui/preferences';
import { addSources } from './add';
import { compareWith } from './compare';
import { openQuietly, openSample, SAMPLE } from './open';
import { encodeView, keyOf, viewNote } from './url';

/** The list of recent traces, and whether what is opened is kept. */
export const RECENT_CHANGED = cause('recent');

/** After the first frame and the totals, so that nobody waits for it: writing the session of 250,500 ops takes a quarter of a second. */
const KEEP_AFTER_MS = 1500;
/** The page itself comes first. */
const LIST_AFTER_MS = 300;
/** Larger traces are not kept: the worker answers nothing while it writes a session. */
export const MOST_KEPT_OPS = 1_000_000;

const NOT_KEPT = say('recent-not-kept');

/** Whether this page may keep traces at all. */
export const canKeep = ({ page }: Context): boolean => page.fileUrl('') !== null && 'indexedDB' in globalThis;

const keeps = (context: Context): boolean => canKeep(context) && context.state.keeps_recent;

/** Which trace the present entry of the browser's history is about; null where it says nothing. */
function traceOfEntry(): string | null {
  const entry: unknown = history.state;
  return typeof entry === 'object' && entry !== null && 'trace' in entry && typeof entry.trace === 'string' ? entry.trace : null;
}

/** Keeps the trace that was opened, once the page has nothing else to do. */
export function keepOpened(context: Context, trace: OpenTrace): void {
  const { id } = trace;
  if (id === null || id === SAMPLE || !keeps(context)) return;
  const { state } = context;
  const isOpen = () => state.trace?.whole === trace.whole;
  const later = () =>
    setTimeout(() => {
      if (!isOpen() || !keeps(context)) return;
      if (state.loading || state.pending_view) later();
      else {
        const kept = keep(context, state.trace ?? trace, id).then((is_done) => {
          if (!is_done) later();
        });
        attempt(context, NOT_KEPT, kept);
      }
    }, KEEP_AFTER_MS);
  later();
}

/** Gives false where another view or trace was shown meanwhile, and nothing is kept yet. */
async function keep(context: Context, trace: OpenTrace, id: string): Promise<boolean> {
  const { engine, recent_store } = context;
  const { files, ops } = trace.whole;
  const name = files.length === 1 ? (files[0]?.name ?? '') : say('file-and-more', { file: files[0]?.name ?? '', count: files.length - 1 });
  const about = { id, name, ops, key: keyOf(trace.whole), opened_ms: Date.now(), view: viewOf(context.state), options: trace.options };
  const known = context.state.recent.find((recent) => recent.id === id);
  if (known && known.bytes > 0) await recent_store.update(id, { opened_ms: about.opened_ms });
  else if (ops > MOST_KEPT_OPS) await recent_store.put({ ...about, bytes: 0 }, null);
  else {
    const session = await sessionOf(engine, about.view, about.options.communication);
    if (!session) return false;
    try {
      await recent_store.put({ ...about, bytes: session.length }, new Blob([session]));
    } catch (thrown) {
      // The browser has less room than we would take. That the trace was open is known all the same.
      if (!(thrown instanceof DOMException) || thrown.name !== 'QuotaExceededError') throw thrown;
      await recent_store.put({ ...about, bytes: 0 }, null);
    }
  }
  await listRecent(context);
  // Nothing follows the opening any more: for whoever measures or waits.
  performance.mark('steplens:kept');
  return true;
}

/** Null where another view or trace was shown meanwhile. */
async function sessionOf(
  engine: Context['engine'],
  view: string,
  communication: readonly string[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await engine.ask('sessionBytes', view, communication);
  } catch (thrown) {
    if (errorBody(thrown).code === SUPERSEDED) return null;
    throw thrown;
  }
}

const viewOf = (state: State): string => {
  const note = viewNote(state);
  return note ? encodeView(note) : '';
};

/** The view has come to rest: the kept trace opens there the next time. */
export function rememberRecentView(context: Context): void {
  const { state, recent_store } = context;
  const id = state.trace?.id;
  if (!id || !keeps(context) || !state.recent.some((recent) => recent.id === id)) return;
  attempt(context, NOT_KEPT, recent_store.update(id, { view: viewOf(state) }));
}

/** Reads the list of what is kept. */
export async function listRecent(context: Context): Promise<void> {
  if (!canKeep(context)) return;
  context.state.recent = await context.recent_store.list();
  context.frame.invalidate(RECENT_CHANGED);
}

/** Opens a trace that is kept, at `view`, or where that is '' at its last one. Where it is not kept any more, the user reads which one that was. Nothing happens if `still` says no once the browser's storage has answered. */
export async function openRecent(context: Context, id: string, view = '', still = () => true): Promise<void> {
  if (id === SAMPLE) return openSample(context);
  const { session, about } = await sessionKept(context, id);
  if (!still()) return;
  if (!session || !about) return showError(context, say('not-opened'), notKept(about));
  await openQuietly(context, [{ name: about.name, blob: session }], {
    options: about.options,
    view: view === '' ? `#${about.view}` : view,
    id,
  });
}

/** Adds a trace that is kept to the one that is open. */
export async function addRecent(context: Context, id: string): Promise<void> {
  const { session, about } = await sessionKept(context, id);
  if (session && about) addSources(context, [{ name: about.name, blob: session }]);
  else showError(context, say('not-added'), notKept(about));
}

/** Compares the open trace with one that the browser keeps. */
export async function compareRecent(context: Context, id: string): Promise<void> {
  const { session, about } = await sessionKept(context, id);
  if (session && about) compareWith(context, [{ name: about.name, blob: session }]);
  else showError(context, say('cmp-not-compared'), notKept(about));
}

async function sessionKept({ recent_store }: Context, id: string) {
  const [session, traces] = await Promise.all([recent_store.session(id), recent_store.list()]);
  return { session, about: traces.find((trace) => trace.id === id) };
}

const notKept = (about: RecentTrace | undefined): EngineError =>
  new EngineError({ code: 'not-kept', message: about ? say('recent-only-known', { file: about.name }) : say('recent-gone') });

export function forgetRecent(context: Context, id: string): void {
  attempt(
    context,
    say('recent-not-removed'),
    context.recent_store.remove(id).then(() => listRecent(context)),
  );
}

/** Switched off, everything that was kept goes. */
export function setKeepsRecent(context: Context, keeps_recent: boolean): void {
  const { state, recent_store, frame } = context;
  state.keeps_recent = keeps_recent;
  if (keeps_recent) forget('recent');
  else keepPreference('recent', 'no');
  frame.invalidate(RECENT_CHANGED);
  if (keeps_recent && state.trace) keepOpened(context, state.trace);
  else
    attempt(
      context,
      say('recent-not-removed'),
      recent_store.clear().then(() => listRecent(context)),
    );
}

/**
 * What the address stands for when the page starts: the trace that this entry of the history was about, else the newest kept one that the
 * fragment is a view of.
 */
export async function openFromAddress(context: Context): Promise<void> {
  if (!canKeep(context)) return;
  const { state } = context;
  // Whoever comes for something new does not wait until the browser has found its storage.
  if (traceOfEntry() === null && location.hash === '') await new Promise((resolve) => setTimeout(resolve, LIST_AFTER_MS));
  try {
    await listRecent(context);
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    // The user's settings refuse storage to this page. Nothing is kept, and the box in the list says so.
    state.keeps_recent = false;
    return;
  }
  const key = new URLSearchParams(location.hash.slice(1)).get('k');
  const isOfKey = (recent: RecentTrace) => recent.key === key;
  const known = state.recent.find(({ id }) => id === traceOfEntry()) ?? state.recent.find(isOfKey);
  // Whoever was quicker than the browser's storage has opened something already.
  const isEmpty = () => !state.trace && !state.loading;
  if (!isEmpty()) return;
  if (traceOfEntry() === SAMPLE) await openSample(context);
  else if (known && known.bytes > 0) await openRecent(context, known.id, location.hash, isEmpty);
  else if (known || key !== null) {
    state.address_note = known ? say('recent-only-known', { file: known.name }) : say('address-of-a-view');
    context.frame.invalidate(RECENT_CHANGED);
  }
}

/** Keeps what is opened from now on. Back and Forward lead to the trace that was open then. */
export function watchOpened(context: Context): void {
  if (!canKeep(context)) return;
  const { state, frame } = context;
  let opened: unknown = null;
  frame.onDom([Changed.trace], () => {
    const { trace } = state;
    if (!trace || trace.whole === opened) return;
    opened = trace.whole;
    keepOpened(context, trace);
  });
  addEventListener('popstate', () => {
    const id = traceOfEntry();
    if (id !== null && id !== context.state.trace?.id) attempt(context, say('not-opened'), openRecent(context, id, location.hash));
  });
}
