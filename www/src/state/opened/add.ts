// Adding files to the open trace: all of them are opened together, as if they had been from the start, and the user's view stays.
import { EngineError } from '../../engine/errors';
import { say } from '../../base/messages';
import type { Source } from '../../engine/protocol';
import { attempt } from '../failures';
import type { Context } from '../state';
import type { OpenTrace } from '../types';
import { newTraceId, openQuietly } from './open';

/** Opens `added` together with what is open, or alone where nothing is. While it is read, and if it cannot be read, the open trace stays. */
export function addSources(context: Context, added: Source[]): void {
  attempt(context, say('not-added'), add(context, added));
}

async function add(context: Context, added: Source[]): Promise<void> {
  const { state, engine } = context;
  if (added.length === 0) throw new EngineError({ code: 'no-file', message: say('error-no-file') });
  const { trace } = state;
  if (!trace) return openQuietly(context, added, { id: newTraceId() });
  const { devices, window_unix_ns, ...options } = trace.options;
  // Of a subset nothing else is wanted, whatever the files hold: its own session is that subset.
  const is_subset = Boolean(devices ?? window_unix_ns);
  const own = is_subset ? [await sessionOf(trace, engine)] : trace.sources;
  if (state.trace?.whole !== trace.whole) return;
  await openQuietly(context, [...own, ...added], { options, view: '', id: newTraceId(), added_to: trace });
}

async function sessionOf({ whole }: OpenTrace, engine: Context['engine']): Promise<Source> {
  return { name: `${whole.files[0]?.name ?? ''}.steplens`, blob: new Blob([await engine.ask('sessionBytes', '', [])]) };
}
