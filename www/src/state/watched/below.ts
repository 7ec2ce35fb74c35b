// The traces below a folder where no recorder has been: listed, read one after the other for what each is at a glance, opened and compared.
import { cause } from '../frame';
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../../engine/errors';
import type { Source } from '../../engine/protocol';
import { attempt, showError } from '../failures';
import { compareWith } from '../opened/compare';
import { newTraceId, openQuietly } from '../opened/open';
import type { Context } from '../state';
import type { TraceBelow, Watching } from '../watching';

/** What a watched folder says, and how it is shown. */
export const WATCHED_CHANGED = cause('watched');

/** A folder with many folders takes longer to be listed than the few files of a recorder. */
const LIST_AGAIN_MS = 10_000;
/** So many are listed; whoever has more finds the newest. */
export const MOST_LISTED = 500;
/** How long it waits for who waits for something else. */
const WAIT_MS = 500;
/** Larger traces are read when they are opened: the server may be far away. */
const MOST_READ_BYTES = 128 << 20;

/** Whether a recorder has been here: then the folder is about its runs. */
const isRecorded = ({ said }: Watching): boolean => (said?.processes.length ?? 0) > 0;

/** Lists the traces below the folder, now and then, and reads those that are new. */
export async function lookBelow(context: Context, watching: Watching): Promise<void> {
  if (isRecorded(watching)) return;
  const now = performance.now();
  if (now - watching.listed_ms >= LIST_AGAIN_MS) {
    watching.listed_ms = now;
    watching.below_fault = await list(watching).then(
      () => null,
      (thrown: unknown) => new EngineError(errorBody(thrown)),
    );
    context.frame.invalidate(WATCHED_CHANGED);
    attempt(context, say('watch-failed'), readNew(context, watching));
  }
  // Until it is listed again.
  if (watching.below_fault) throw watching.below_fault;
}

async function list(watching: Watching): Promise<void> {
  const { files, unread } = await watching.place.traces();
  const known = new Map(watching.below?.map((trace) => [keyOf(trace), trace.said]));
  const below = files.map((file): TraceBelow => {
    const said = known.get(keyOf(file)) ?? (file.bytes > MOST_READ_BYTES ? 'large' : null);
    return { ...file, said };
  });
  below.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1));
  Object.assign(watching, { below, unread });
}

const keyOf = ({ path, bytes, changed }: Omit<TraceBelow, 'said'>): string => `${path} ${bytes} ${changed}`;

/** Those that are traces, or may be. */
export const candidates = ({ below }: Watching): readonly TraceBelow[] =>
  (below ?? []).filter(({ said }) => said === null || said === 'large' || 'ops' in said);

/** Reads those that are listed and were not read yet, the newest first, while nobody waits for something else. */
async function readNew(context: Context, watching: Watching): Promise<void> {
  const { state, frame } = context;
  if (watching.reads) return;
  watching.reads = true;
  try {
    for (;;) {
      while (state.watching === watching && (state.loading || document.hidden))
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      if (state.watching !== watching || isRecorded(watching)) return;
      const next = candidates(watching)
        .slice(0, MOST_LISTED)
        .find(({ said }) => said === null);
      if (!next) return;
      const said = await glanceAt(watching, next.path);
      // Found by its key: it may have been listed anew meanwhile.
      for (const trace of watching.below ?? []) if (keyOf(trace) === keyOf(next)) trace.said = said;
      frame.invalidate(WATCHED_CHANGED);
    }
  } finally {
    watching.reads = false;
  }
}

async function glanceAt({ place, engine }: Watching, path: string): Promise<NonNullable<TraceBelow['said']>> {
  try {
    const blob = await place.trace(path);
    return blob ? await engine.glance([{ name: path, blob }]) : { why: say('watch-gone') };
  } catch (thrown) {
    return { why: errorBody(thrown).message };
  }
}

/** Opens a trace below the folder. */
export function openBelow(context: Context, path: string): void {
  attempt(
    context,
    say('not-opened'),
    sourceOf(context, path).then(async (source) => {
      if (!source) return;
      const { watching } = context.state;
      if (watching) watching.opened = [path];
      await openQuietly(context, [source], { id: newTraceId() });
      context.frame.invalidate(WATCHED_CHANGED);
    }),
  );
}

/** Compares the open trace with one below the folder. */
export function compareBelow(context: Context, path: string): void {
  attempt(
    context,
    say('cmp-not-compared'),
    sourceOf(context, path).then((source) => {
      if (source) compareWith(context, [source]);
    }),
  );
}

/** Null where the file is gone, which is said. */
async function sourceOf(context: Context, path: string): Promise<Source | null> {
  const { watching } = context.state;
  const blob = await watching?.place.trace(path);
  if (!watching || !blob) {
    showError(context, say('not-opened'), new EngineError({ code: 'trace-gone', message: say('watch-below-gone', { file: path }) }));
    return null;
  }
  return { name: path, blob };
}
