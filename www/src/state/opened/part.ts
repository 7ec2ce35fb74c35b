// Opening a part of files: which devices, which window of time; chosen in a dialog, and said while it is shown.
import { say } from '../../base/messages';
import { ns, type Ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { Found, OpenOptions, Progress, Source } from '../../engine/protocol';
import { attempt, showError } from '../failures';
import { Changed } from '../frame';
import { bytesOf, newTraceId, openQuietly } from './open';
import { escaped } from './pattern_words';
import type { Context } from '../state';

/** What can be chosen from, and where it is. */
export interface Choice {
  sources: Source[];
  options: OpenOptions;
  found: Found;
  /** By place in `found.devices`: whether it is open now. */
  chosen: boolean[];
  /** The window that is open now or, where all of it is, the range selected; from the first start of all. */
  window: Window | null;
}

/** What there is to choose from in the files that did not open; null where counting them failed or was cancelled. */
export async function choicesOfUnopened(context: Context): Promise<Choice | null> {
  const sources = context.state.unopened;
  const found = await counted(context, sources);
  const chosen = found?.devices.map(() => true) ?? [];
  return found && { sources, options: { communication: [] }, found, chosen, window: null };
}

/** What there is to choose from in the files of the open trace. */
export async function choicesOfTrace({ state, engine }: Context): Promise<Choice | null> {
  const { trace } = state;
  if (!trace) return null;
  const { sources } = trace;
  const options = { ...trace.options, communication: [...trace.view.communication] };
  const now = await engine.ask('found');
  const found = state.found?.in === sources ? state.found.what : now;
  state.found = { in: sources, what: found };
  const shown = new Set(now.devices.filter((device) => device.shown > 0).map((device) => device.name));
  const ours = BigInt(found.origin_unix_ns);
  const from_origin = (unix: string): Ns => ns(Number(BigInt(unix) - ours));
  const open = options.window_unix_ns;
  const shift = Number(BigInt(trace.summary.origin_unix_ns) - ours);
  const { range } = state;
  return {
    sources,
    options,
    found,
    chosen: found.devices.map((device) => !options.devices || shown.has(device.name)),
    window: open
      ? { start: from_origin(open[0]), end: from_origin(open[1]) }
      : range && { start: ns(range.start + shift), end: ns(range.end + shift) },
  };
}

/** Reads all of the files to see what they hold, with the page's usual progress. */
async function counted(context: Context, sources: Source[]): Promise<Found | null> {
  const { state, frame, engine } = context;
  const loading = { names: sources.map((source) => source.name), bytes: bytesOf(sources), progress: null as Progress | null };
  state.loading = loading;
  frame.invalidate(Changed.phase);
  try {
    return await engine.count(sources, (progress) => {
      loading.progress = progress;
      frame.invalidate(Changed.phase);
    });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'cancelled')) showError(context, say('not-counted'), thrown);
    return null;
  } finally {
    if (state.loading === loading) state.loading = null;
    frame.invalidate(Changed.phase);
  }
}

/** Opens the chosen devices and window of the same files; `window` null is all of the time. */
export function openPart(context: Context, choice: Choice, chosen: boolean[], window: Window | null): void {
  const { devices, origin_unix_ns } = choice.found;
  const names = devices.filter((_, place) => chosen[place]).map((device) => device.name);
  const at = (time: Ns): string => String(BigInt(origin_unix_ns) + BigInt(Math.round(time)));
  const opened = openQuietly(context, choice.sources, {
    id: newTraceId(),
    options: {
      ...choice.options,
      devices: names.length === devices.length ? null : `^(?:${names.map(escaped).join('|')})$`,
      window_unix_ns: window && [at(window.start), at(window.end)],
    },
  });
  attempt(context, say('not-opened'), opened);
}
