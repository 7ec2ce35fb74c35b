// Counters under the devices and flags of instants: asked for in good time around the view, as marks are.
import { say } from '../../base/messages';
import { contains, grown, lengthOf } from '../../base/time_scale';
import type { CounterLanesQuery, FlagsQuery } from '../../engine/protocol';
import { reportFailure } from '../failures';
import { ofShown, request, type Question } from '../figures';
import { cause, Changed } from '../frame';
import { latest } from '../latest';
import { bandsInSight, holdsAll, topOf } from '../layout/sight';
import { announce, type Context, type State } from '../state';
import type { OpenTrace } from '../types';
import { countersOf } from './counter_rows';
import { layOut } from './lay_out';
import { showSelected } from './card';

/** Counters, or flags of instants, have arrived, or another instant is chosen. */
export const COUNTERS_CHANGED = cause('counters');

/** Of the window's length, on each side. */
const MARGIN = 0.5;
/** A new request goes out when less than this is left on a side. */
const RESERVE = 0.15;
/** Counters this far above and below what is in sight are asked for, too. */
const NEAR_PX = 200;

const COUNTERS: Question<'counters'> = {
  verb: 'counters',
  of: ofShown,
  parameters: () => [],
  outcome: say('counters-not-drawn'),
  // They take room under their devices.
  then: (context, { counters }) => {
    if (counters.length > 0) layOut(context);
  },
};

/** The function to call whenever the view may need other columns or flags. */
export function countersRequester(context: Context): () => void {
  const { state } = context;
  const requestLanes = lanesRequester(context);
  const requestFlags = flagsRequester(context);
  return () => {
    // The marks come first: a trace is shown by them.
    if (!state.trace || state.pending_view || !state.shown) return;
    request(context, COUNTERS);
    const known = countersOf(state);
    if (known && known.counters.length > 0) requestLanes(state.trace);
    if (known && known.instants > 0) requestFlags(state.trace);
  };
}

interface Asked<Q> {
  query: Q;
  of: OpenTrace;
  lanes: State['lanes'];
}

function lanesRequester(context: Context): (of: OpenTrace) => void {
  const { state, frame, engine } = context;
  let asked: Asked<CounterLanesQuery> | null = null;
  const requestLanes = latest(
    ({ query }: Asked<CounterLanesQuery>) => engine.ask('counterLanes', query),
    (lanes, { of }) => {
      if (of !== state.trace) return;
      state.counter_lanes = lanes;
      frame.invalidate(COUNTERS_CHANGED);
    },
    (thrown) => {
      // The next frame asks again.
      if (reportFailure(context, say('counters-not-drawn'), thrown)) asked = null;
    },
  );
  return (of) => {
    const wanted = countersNear(state);
    if (wanted.length === 0) return;
    const is_enough = asked?.of === of && holdsAll(asked.query.counters, wanted) && suffices(asked.query, state);
    if (is_enough) return;
    asked = { query: { ...windowOf(state), counters: wanted }, of, lanes: state.lanes };
    requestLanes(asked);
  };
}

function flagsRequester(context: Context): (of: OpenTrace) => void {
  const { state, frame, engine } = context;
  let asked: Asked<FlagsQuery> | null = null;
  const requestFlags = latest(
    ({ query }: Asked<FlagsQuery>) => engine.ask('flags', query),
    ({ flags }, { query, of, lanes }) => {
      if (of !== state.trace || lanes !== state.lanes) return;
      state.flags = { query, flags };
      frame.invalidate(COUNTERS_CHANGED);
    },
    (thrown) => {
      if (reportFailure(context, say('instants-not-drawn'), thrown)) asked = null;
    },
  );
  return (of) => {
    if (asked?.of === of && asked.lanes === state.lanes && suffices(asked.query, state)) return;
    asked = { query: windowOf(state), of, lanes: state.lanes };
    requestFlags(asked);
  };
}

/** The counters whose lanes are in sight or near it, ascending. */
function countersNear(state: State): Uint32Array {
  const near = bandsInSight(state).flatMap((band) => {
    const top = topOf(state, band);
    const isNear = (y: number) => top + y > -NEAR_PX && top + y < state.viewport.height + NEAR_PX;
    return band.counters.flatMap(({ counter, y }) => (counter !== null && isNear(y) ? [counter] : []));
  });
  return Uint32Array.from(near).sort();
}

function windowOf(state: State): FlagsQuery {
  const { start, end } = grown(state.window, MARGIN);
  return { start_ns: start, end_ns: end, width_px: Math.round(state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN)) };
}

function suffices({ start_ns, end_ns, width_px }: FlagsQuery, state: State): boolean {
  const length = (end_ns - start_ns) / (1 + 2 * MARGIN);
  const is_sharper = state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) > width_px * 1.5;
  return (
    !is_sharper &&
    Math.abs(length / lengthOf(state.window) - 1) <= 0.002 &&
    contains({ start: start_ns, end: end_ns }, grown(state.window, RESERVE))
  );
}

/** Shows in the tab Selection what an instant says. */
export async function selectInstant(context: Context, instant: number): Promise<void> {
  const { state, engine } = context;
  state.instant = { instant, details: null };
  state.selection = null;
  const details = await engine.ask('instant', instant);
  if (state.instant?.instant !== instant) return;
  state.instant = { instant, details };
  showSelected(context);
  announce(context, say('selected-instant', { name: details.name }), Changed.selection, COUNTERS_CHANGED, Changed.notice);
}
