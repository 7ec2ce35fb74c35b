// Keeping marks at hand: asks for those around the view, in good time, and never waits for them.
//
// Marks are fetched two windows wide, so that panning finds them there. While zooming, the old ones are drawn scaled
// until the new ones arrive; one request is under way at a time, and the newest wins.
import { say } from '../../base/messages';
import { contains, grown, lengthOf, TimeScale, type Window } from '../../base/time_scale';
import type { LaneId, Marks, MarksQuery } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { doesForMotion } from './glide';
import { Changed } from '../frame';
import { latest } from '../latest';
import type { Lanes, Layout } from '../layout/layout';
import { holdsAll, laneBox, lanesWithin, stripsWithin, type Sight } from '../layout/sight';
import type { Context, State } from '../state';

/** Of the window's length, on each side. */
const MARGIN = 0.5;
/** A new request goes out when less than this is left on a side. */
const RESERVE = 0.15;
/** Of the viewport's height, above and below. */
const LANE_MARGIN = 0.25;
/** Marks at hand; all of them are in the window when it shows the whole step. Ten thousand rectangles cost about 4 ms without a GPU; a frame has 8. */
const MOST = 12_000;

const NOT_DRAWN = say('ops-not-drawn');

export type MarksRequester = () => void;

/** The function to call whenever the view may need other marks. */
export function marksRequester(context: Context): MarksRequester {
  const { state, frame, engine } = context;
  let asked: MarksQuery | null = null;
  // The numbering of lanes that was asked with: it goes with the trace, and with how its lanes are arranged.
  let asked_of: unknown = null;
  let laid_out: Layout | null = null;
  const request = latest(
    ({ query }: { query: MarksQuery; of: Lanes }) => engine.ask('marks', query),
    (marks: Marks, { of }) => {
      if (of !== state.lanes) return;
      state.marks = marks;
      frame.invalidate(Changed.marks, ...(state.shown ? [] : [Changed.phase]));
      // The frame that draws them is the one that shows the trace.
      if (!state.shown) {
        state.shown = true;
        frame.runNow();
      }
    },
    (thrown) => {
      // The next frame asks again.
      if (reportFailure(context, NOT_DRAWN, thrown)) asked = null;
    },
  );
  return () => {
    // The view that is about to be shown brings its own; the core has other lanes already.
    if (!state.trace || state.pending_view || state.viewport.width === 0) return;
    if (asked_of !== state.lanes && state.marks) {
      // They came with the lanes, for a layout that may differ from this one.
      asked = state.marks.query;
      asked_of = state.lanes;
      laid_out = hasPitchesOf(asked, state) ? state.layout : null;
    }
    if (asked_of === state.lanes && laid_out === state.layout && asked && (suffices(asked, state) || doesForMotion(state, asked))) return;
    asked = wanted(state);
    laid_out = state.layout;
    asked_of = state.lanes;
    request({ query: asked, of: state.lanes });
  };
}

/** What the search marks has changed: the marks at hand are out of date although they cover the view. */
export function refreshMarks(context: Context): void {
  const { state, engine, frame } = context;
  const { lanes } = state;
  if (!state.marks) return;
  const answered = engine.ask('marks', wanted(state)).then((marks) => {
    if (state.lanes !== lanes) return;
    state.marks = marks;
    frame.invalidate(Changed.marks);
  });
  attempt(context, NOT_DRAWN, answered);
}

export const scaleOf = (query: MarksQuery): TimeScale => new TimeScale({ start: query.start_ns, end: query.end_ns }, query.width_px);

/** The canvas, in CSS pixels, and how many pixels of the screen each of these is. */
export interface Screen {
  viewport: { width: number; height: number };
  pixel_ratio: number;
}

/** The marks around the view. */
export const wanted = (state: State): MarksQuery => wantedMarks({ ...state, pixel_ratio: devicePixelRatio });

export function wantedMarks(view: Sight & Screen & { window: Window }): MarksQuery {
  const window = grown(view.window, MARGIN);
  const { height } = view.viewport;
  const top = -height * LANE_MARGIN;
  const bottom = height * (1 + LANE_MARGIN);
  const lanes = lanesWithin(view, top, bottom);
  return {
    start_ns: window.start,
    end_ns: window.end,
    width_px: Math.round(view.viewport.width * view.pixel_ratio * (1 + 2 * MARGIN)),
    lanes,
    pitches: pitchesOf(view, view.pixel_ratio, lanes),
    most: MOST,
    strips: stripsWithin(view, top, bottom),
  };
}

/** Whether the visible lanes have the pitches that the marks were asked with. */
function hasPitchesOf(query: MarksQuery, state: State): boolean {
  const lanes = lanesWithin(state, 0, state.viewport.height);
  const pitches = pitchesOf(state, devicePixelRatio, lanes);
  const first = query.lanes.indexOf(lanes[0] ?? -1);
  // Of the last visible lane, the next one is not known here.
  return (
    lanes.length === 0 ||
    (first >= 0 && pitches.every((pitch, row) => row === lanes.length - 1 || Math.abs(pitch - (query.pitches[first + row] ?? 0)) < 0.01))
  );
}

/** From each lane to the next one below it, in device pixels. */
function pitchesOf(sight: Sight, pixel_ratio: number, lanes: Uint32Array): Float32Array {
  const topOf = (lane: LaneId | undefined) => (lane === undefined ? undefined : laneBox(sight, lane)?.y) ?? Infinity;
  const pitches = new Float32Array(lanes.length);
  let top = topOf(lanes[0]);
  for (let row = 0; row < lanes.length; row++) {
    const next = topOf(lanes[row + 1]);
    pitches[row] = (next - top) * pixel_ratio;
    top = next;
  }
  return pitches;
}

function suffices(query: MarksQuery, state: State): boolean {
  const length = (query.end_ns - query.start_ns) / (1 + 2 * MARGIN);
  if (Math.abs(length / lengthOf(state.window) - 1) > 0.002) return false;
  const sharper = state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) > query.width_px * 1.5;
  if (sharper) return false;
  const covered: Window = { start: query.start_ns, end: query.end_ns };
  if (!contains(covered, grown(state.window, RESERVE))) return false;
  const { height } = state.viewport;
  const in_sight = holdsAll(query.lanes, lanesWithin(state, 0, height));
  return in_sight && holdsAll(query.strips, stripsWithin(state, 0, height));
}
