// Watching a folder: looks about once a second, opens what is new, and asks for more. A hidden page does not look.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../../engine/errors';
import type { ReadBytes, Source, WantedBytes, WatchedFile, WatchedTrace, WatchRequest } from '../../engine/protocol';
import type { Place } from '../../engine/watched/place';
import { WorkerEngine } from '../../engine/worker_engine';
import { attempt, reportFailure, showError } from '../failures';
import { Changed } from '../frame';
import { compareWith } from '../opened/compare';
import { openQuietly } from '../opened/open';
import { announce, type Context } from '../state';
import type { Watching } from '../watching';
import { lookBelow, WATCHED_CHANGED } from './below';

const LOOK_MS = 1000;
/** So many files are read at once. */
const AT_ONCE = 16;
/** How often files may grow while they are read before the rest is left for the next look. */
const MOST_ROUNDS = 1000;
/** How many runs are listed. */
const MOST_RUNS = 200;

/** Watches the folder that `make` gives; the one before is no longer watched. What was known of a folder of this name stays known. */
export function watch(context: Context, make: (engine: WorkerEngine) => Place): void {
  const { state, frame } = context;
  const before = state.watching;
  endWatching(context);
  const engine = new WorkerEngine(
    context.page,
    () => null,
    (error) => reportFailure(context, say('failed-worker'), error),
  );
  const place = make(engine);
  const again = before !== null && !place.grows && before.place.name === place.name ? before : null;
  const watching: Watching = {
    place,
    engine,
    said: null,
    process: again?.process ?? null,
    call: again?.call ?? null,
    traced_only: again?.traced_only ?? false,
    runs: null,
    below: null,
    unread: 0,
    listed_ms: -Infinity,
    below_fault: null,
    reads: false,
    opens: before?.opens ?? true,
    known: again?.known ?? new Set(),
    opened: again?.opened ?? [],
    looked: again ? '' : 'never',
    fault: null,
    is_open: before?.is_open ?? null,
    timer: undefined,
  };
  state.watching = watching;
  frame.invalidate(WATCHED_CHANGED);
  attempt(context, say('watch-failed'), lookAgain(context, watching));
}

export function endWatching({ state, frame }: Context): void {
  if (!state.watching) return;
  clearTimeout(state.watching.timer);
  state.watching.engine.end();
  state.watching = null;
  frame.invalidate(WATCHED_CHANGED);
}

/** Looks at once when the page is seen again. Call once. */
export function lookWhenSeen(context: Context): void {
  document.addEventListener('visibilitychange', () => {
    const { watching } = context.state;
    if (!document.hidden && watching) lookSoon(context, watching);
  });
}

function lookSoon(context: Context, watching: Watching): void {
  clearTimeout(watching.timer);
  watching.timer = undefined;
  if (!watching.place.grows && watching.said) return;
  watching.timer = setTimeout(() => attempt(context, say('watch-failed'), lookAgain(context, watching)), 0);
}

async function lookAgain(context: Context, watching: Watching): Promise<void> {
  const { state, frame } = context;
  const fault = await look(context, watching)
    .then(() => lookBelow(context, watching))
    .then(
      () => null,
      (thrown: unknown) => errorBody(thrown).message,
    );
  if (state.watching !== watching) return;
  if (fault !== watching.fault) {
    watching.fault = fault;
    frame.invalidate(WATCHED_CHANGED);
  }
  if (document.hidden || !watching.place.grows) return;
  clearTimeout(watching.timer);
  watching.timer = setTimeout(() => attempt(context, say('watch-failed'), lookAgain(context, watching)), LOOK_MS);
}

async function look(context: Context, watching: Watching): Promise<void> {
  const { state, frame } = context;
  const { place, engine } = watching;
  const files = await place.list();
  let wants = await engine.ask('beginLook', files);
  const looked = keyOf(files);
  const has_changed = wants.length > 0 || looked !== watching.looked || watching.said === null;
  for (let round = 0; wants.length > 0 && round < MOST_ROUNDS; round++) {
    const pieces: ReadBytes[] = [];
    for (let at = 0; at < wants.length; at += AT_ONCE)
      pieces.push(...(await Promise.all(wants.slice(at, at + AT_ONCE).map((want) => readOf(place, want)))));
    wants = await engine.ask('takeRead', pieces);
  }
  if (!has_changed || state.watching !== watching) return;
  const is_first = watching.looked === 'never';
  const said = await engine.ask('watchState');
  if (state.watching !== watching) return;
  watching.said = said;
  watching.looked = looked;
  await listRuns(context, watching);
  if (is_first) watching.known = new Set(tracesOf(watching).map(({ path }) => path));
  frame.invalidate(WATCHED_CHANGED);
  openNew(context, watching, files);
}

const keyOf = (files: readonly WatchedFile[]): string =>
  files
    .map(({ path, bytes, changed }) => `${path} ${bytes} ${changed}`)
    .sort()
    .join('\n');

async function readOf(place: Place, { path, from, to }: WantedBytes): Promise<ReadBytes> {
  try {
    const bytes = await place.read(path, from, to);
    return bytes ? { path, from, bytes } : { path, from, why: null };
  } catch (thrown) {
    return { path, from, why: errorBody(thrown).message };
  }
}

/** The process whose runs are listed. */
export const processOf = ({ said, process }: Watching): string | null =>
  (said?.processes.find(({ name }) => name === process) ?? said?.processes[0])?.name ?? null;

async function listRuns({ frame }: Context, watching: Watching): Promise<void> {
  const process = processOf(watching);
  const { call, traced_only } = watching;
  const runs = process === null ? null : await watching.engine.ask('watchedRuns', process, call, traced_only, MOST_RUNS);
  // Another process was chosen meanwhile: its runs are on their way.
  if (process !== processOf(watching) || call !== watching.call || traced_only !== watching.traced_only) return;
  watching.runs = runs;
  frame.invalidate(WATCHED_CHANGED);
}

/** Lists the runs of another process, or only those with some fetches and feeds. */
export function chooseRuns(context: Context, process: string, call: number | null): void {
  const { watching } = context.state;
  if (!watching) return;
  watching.process = process;
  watching.call = call;
  context.frame.invalidate(WATCHED_CHANGED);
  attempt(context, say('watch-failed'), listRuns(context, watching));
}

/** Lists only the runs that were traced, or all of them. */
export function toggleTraced(context: Context): void {
  const { watching } = context.state;
  if (!watching) return;
  watching.traced_only = !watching.traced_only;
  context.frame.invalidate(WATCHED_CHANGED);
  attempt(context, say('watch-failed'), listRuns(context, watching));
}

const tracesOf = ({ said }: Watching): WatchedTrace[] => said?.processes.flatMap(({ traces }) => traces) ?? [];

/** Opens the newest of the traces that came since the last look. */
function openNew(context: Context, watching: Watching, files: readonly WatchedFile[]): void {
  // Until the trace before is there; it is tried again at the next look.
  if (context.state.loading) {
    watching.looked = '';
    return;
  }
  const fresh = tracesOf(watching).filter(({ path }) => !watching.known.has(path));
  if (fresh.length === 0) return;
  watching.known = new Set(tracesOf(watching).map(({ path }) => path));
  if (!watching.opens) return;
  const changed = new Map(files.map((file) => [file.path, file.changed]));
  const newest = fresh.reduce((a, b) => ((changed.get(b.path) ?? 0) > (changed.get(a.path) ?? 0) ? b : a));
  openWatched(context, [newest.path, ...newest.together]);
}

/** Opens traces of the folder as one. */
export function openWatched(context: Context, paths: readonly string[]): void {
  const { watching } = context.state;
  if (watching) attempt(context, say('not-opened'), openFiles(context, watching, paths));
}

/** Compares the open trace with one of the folder. */
export function compareWatched(context: Context, path: string): void {
  const { watching } = context.state;
  if (!watching) return;
  const made = async () => {
    const sources = await sourcesOf(context, watching, [path]);
    if (sources) compareWith(context, sources);
  };
  attempt(context, say('cmp-not-compared'), made());
}

/** The files at `paths` that are there; null where none is, which is said. */
async function sourcesOf(context: Context, watching: Watching, paths: readonly string[]): Promise<Source[] | null> {
  const sources: Source[] = [];
  for (const path of paths) {
    const blob = await watching.place.file(path);
    if (blob) sources.push({ name: nameOf(path), blob });
  }
  if (sources.length > 0) return sources;
  const message = say('watch-trace-gone', { files: listed(paths) });
  showError(context, say('not-opened'), new EngineError({ code: 'trace-gone', message }));
  return null;
}

async function openFiles(context: Context, watching: Watching, paths: readonly string[]): Promise<void> {
  const sources = await sourcesOf(context, watching, paths);
  if (!sources) return;
  watching.opened = paths;
  await openQuietly(context, sources);
  context.frame.invalidate(WATCHED_CHANGED);
}

/** What a trace of the folder is called. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether new traces are opened as they come. */
export function setOpens({ state, frame }: Context, opens: boolean): void {
  if (state.watching) state.watching.opens = opens;
  frame.invalidate(WATCHED_CHANGED);
}

/** Asks the programs that train. */
export function askForTraces(context: Context, request: WatchRequest): void {
  const { watching } = context.state;
  const ask = watching?.place.ask;
  if (!watching || !ask) return;
  ask(request).then(
    () => {
      announce(context, say('watch-asked'), Changed.notice);
      lookSoon(context, watching);
    },
    (thrown: unknown) => showError(context, say('watch-not-asked'), thrown),
  );
}
