// What is in transit around the view: asked for in good time, as marks are; and of which link, or of all.
import { say } from '../../base/messages';
import { contains, grown, lengthOf } from '../../base/time_scale';
import { EVERY_ROUTE, type Route, type TrafficQuery } from '../../engine/protocol';
import { reportFailure } from '../failures';
import { cause, Changed } from '../frame';
import { latest } from '../latest';
import { wholeStep } from '../scope';
import { doesForMotion } from './glide';
import { keep } from '../ui/preferences';
import { announce, type Context, type State } from '../state';
import type { OpenTrace } from '../types';

/** The traffic in transit is there, or is of another link. */
export const TRAFFIC_CHANGED = cause('traffic');

/** Of the window's length, on each side. */
const MARGIN = 0.5;
/** A new request goes out when less than this is left on a side. */
const RESERVE = 0.15;

/** Of the band above the lanes, in CSS pixels. */
export const TRAFFIC_HEIGHT = 36;

export const routeOf = ({ route }: Pick<State, 'route'>): Route => route ?? EVERY_ROUTE;

/**
 * Whether there is anything to show: transfers that some op recorded. Until they are counted, communication says that there are. How much
 * is in transit at once compares clocks, and is withheld where they differ.
 */
export const hasTraffic = ({ trace }: State): boolean =>
  trace !== null && !trace.summary.clocks && trace.summary.transfers !== 0 && trace.summary.step.communication_ns > 0;

/** A link that was chosen is shown until that is taken back. */
export const showsTraffic = (state: State): boolean => (state.traffic_shown || state.route !== null) && hasTraffic(state);

/** The function to call whenever the view may need other traffic. */
export function trafficRequester(context: Context): () => void {
  const { state, frame, engine } = context;
  let asked: { query: TrafficQuery; of: OpenTrace } | null = null;
  const request = latest(
    ({ query }: { query: TrafficQuery; of: OpenTrace }) => engine.ask('traffic', query),
    ({ columns, peaks }, { query, of }) => {
      if (of !== state.trace || query.route !== routeOf(state)) return;
      state.traffic = { query, columns, peaks };
      frame.invalidate(TRAFFIC_CHANGED);
    },
    (thrown) => {
      // The next frame asks again.
      if (reportFailure(context, say('bandwidth-not-drawn'), thrown)) asked = null;
    },
  );
  return () => {
    const { trace } = state;
    // The marks come first: a trace is shown by them.
    if (!trace || state.pending_view || !state.shown || !showsTraffic(state)) return;
    if (asked?.of === trace && (suffices(asked.query, state) || doesForMotion(state, asked.query))) return;
    asked = { query: wanted(state), of: trace };
    request(asked);
  };
}

/** The function to call when the minimap may need what is in transit over the whole step: asked once for each trace and width. */
export function wholeTrafficRequester(context: Context): () => void {
  const { state, frame, engine } = context;
  let asked: { width: number; of: OpenTrace } | null = null;
  const request = latest(
    ({ query }: { query: TrafficQuery; of: OpenTrace }) => engine.ask('traffic', query),
    ({ columns, peaks }, { query, of }) => {
      if (of !== state.trace) return;
      state.whole_traffic = { query, columns, peaks };
      frame.invalidate(Changed.marks);
    },
    (thrown) => {
      if (reportFailure(context, say('bandwidth-not-drawn'), thrown)) asked = null;
    },
  );
  return () => {
    const { trace, viewport } = state;
    // With the totals the transfers are known, and the marks are long there.
    if (!trace || state.pending_view || !state.shown || !trace.summary.transfers || !hasTraffic(state)) return;
    const width_px = Math.round(viewport.width * devicePixelRatio);
    if (asked?.of === trace && asked.width === width_px) return;
    asked = { width: width_px, of: trace };
    const { start, end } = wholeStep(state);
    request({ query: { start_ns: start, end_ns: end, width_px, route: EVERY_ROUTE }, of: trace });
  };
}

function wanted(state: State): TrafficQuery {
  const window = grown(state.window, MARGIN);
  const width_px = Math.round(state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN));
  return { start_ns: window.start, end_ns: window.end, width_px, route: routeOf(state) };
}

function suffices(query: TrafficQuery, state: State): boolean {
  const length = (query.end_ns - query.start_ns) / (1 + 2 * MARGIN);
  const sharper = state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) > query.width_px * 1.5;
  return (
    query.route === routeOf(state) &&
    !sharper &&
    Math.abs(length / lengthOf(state.window) - 1) <= 0.002 &&
    contains({ start: query.start_ns, end: query.end_ns }, grown(state.window, RESERVE))
  );
}

export function toggleTraffic(context: Context): void {
  const { state } = context;
  state.traffic_shown = !state.traffic_shown;
  keep('traffic', state.traffic_shown ? 'yes' : 'no');
  const text = state.traffic_shown ? say('bandwidth-shown') : say('bandwidth-hidden');
  announce(context, text, Changed.layout, TRAFFIC_CHANGED, Changed.notice);
}

/** Shows the traffic of one link; of all with null. */
export function chooseRoute({ state, frame }: Context, route: Route | null): void {
  state.route = route;
  state.traffic = null;
  frame.invalidate(TRAFFIC_CHANGED, Changed.layout);
}
