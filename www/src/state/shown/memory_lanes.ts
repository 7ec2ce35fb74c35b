// Live bytes under the devices: asked for in good time around the view, as marks are, and only while they are shown.
import { say } from '../../base/messages';
import { contains, grown, lengthOf } from '../../base/time_scale';
import type { MemoryLanesQuery } from '../../engine/protocol';
import { reportFailure } from '../failures';
import { request } from '../figures';
import { Changed } from '../frame';
import { latest } from '../latest';
import { bandsInSight, holdsAll } from '../layout/sight';
import { announce, type Context, type State } from '../state';
import { keep } from '../ui/preferences';
import { layOut } from './lay_out';
import { MEMORY, MEMORY_CHANGED, MEMORY_LANES_CHANGED } from './memory';
import { laneAccounts, laneReading } from './memory_accounts';

/** Of the window's length, on each side. */
const MARGIN = 0.5;
/** A new request goes out when less than this is left on a side. */
const RESERVE = 0.15;

/** The function to call whenever the view may need other columns. */
export function memoryRequester(context: Context): () => void {
  const { state, frame, engine } = context;
  let asked: MemoryLanesQuery | null = null;
  const requestLanes = latest(
    (query: MemoryLanesQuery) => engine.ask('memoryLanes', query),
    (lanes) => {
      if (asked?.reading !== lanes.query.reading) return;
      state.memory_lanes = lanes;
      frame.invalidate(MEMORY_LANES_CHANGED);
    },
    (thrown) => {
      // The next frame asks again.
      if (reportFailure(context, say('memory-not-drawn'), thrown)) asked = null;
    },
  );
  return () => {
    // The marks come first: a trace is shown by them.
    if (!state.memory_shown || !state.trace || state.pending_view || !state.shown) return;
    request(context, MEMORY);
    const reading = laneReading(state);
    if (!reading) return;
    const shown = laneAccounts(state);
    const accounts = bandsInSight(state).flatMap(({ memory, devices }) => (memory ? devices.flatMap((one) => shown.get(one) ?? []) : []));
    if (accounts.length === 0) return;
    const wanted = Uint32Array.from(accounts).sort();
    if (asked && state.memory_lanes !== null && suffices(asked, state, wanted, reading.reading)) return;
    if (asked && isSame(asked, state, wanted, reading.reading)) return;
    const window = grown(state.window, MARGIN);
    const width_px = Math.round(state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN));
    asked = { start_ns: window.start, end_ns: window.end, width_px, reading: reading.reading, accounts: wanted };
    requestLanes(asked);
  };
}

/** Whether just this was asked for, and may still be under way. */
function isSame(query: MemoryLanesQuery, state: State, accounts: Uint32Array, reading: string): boolean {
  const { start, end } = grown(state.window, MARGIN);
  return query.start_ns === start && query.end_ns === end && query.reading === reading && query.accounts.join() === accounts.join();
}

function suffices(query: MemoryLanesQuery, state: State, accounts: Uint32Array, reading: string): boolean {
  const length = (query.end_ns - query.start_ns) / (1 + 2 * MARGIN);
  const sharper = state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) > query.width_px * 1.5;
  return (
    query.reading === reading &&
    !sharper &&
    Math.abs(length / lengthOf(state.window) - 1) <= 0.002 &&
    contains({ start: query.start_ns, end: query.end_ns }, grown(state.window, RESERVE)) &&
    holdsAll(query.accounts, accounts)
  );
}

export function toggleMemory(context: Context): void {
  const { state } = context;
  state.memory_shown = !state.memory_shown;
  state.memory_lanes = null;
  keep('memory', state.memory_shown ? 'yes' : 'no');
  if (state.memory_shown) request(context, MEMORY);
  layOut(context);
  const text = state.memory_shown ? say('live-bytes-shown') : say('live-bytes-hidden');
  announce(context, text, MEMORY_CHANGED, MEMORY_LANES_CHANGED, Changed.notice);
}
