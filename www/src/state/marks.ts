// Keeping marks at hand: asks for those around the view, in good time, and never waits for them.
//
// Marks are fetched three windows wide, so that panning finds them there. While zooming, the old ones are drawn scaled
// until the new ones arrive; one request is under way at a time, and the newest wins.
import { clamp } from '../base/geom';
import { contains, grown, lengthOf, TimeScale, type Window } from '../base/time_scale';
import type { Marks, MarksQuery } from '../engine/protocol';
import { Changed } from './frame';
import { latest } from './latest';
import { holdsAll, lanesWithin } from './sight';
import type { Context, State } from './state';

/** Of the window's length, on each side. */
const MARGIN = 1;
/** A new request goes out when less than this is left on a side. */
const RESERVE = 0.25;
/** Of the viewport's height, above and below. */
const LANE_MARGIN = 0.5;
/** Marks in one window. Ten thousand rectangles cost about 4 ms without a GPU; a frame has 8. */
const BUDGET = 7000;
/** Coarser than this many screen pixels to one of the core's is not drawn, however many marks that makes. */
const COARSEST = 0.25;

export type MarksRequester = () => void;

/** The function to call whenever the view may need other marks. */
export function marksRequester(context: Context): MarksRequester {
  const { state, frame, engine } = context;
  let asked: MarksQuery | null = null;
  // The numbering of lanes that was asked with: it goes with the trace, and with how its lanes are arranged.
  let asked_of: unknown = null;
  const request = latest(
    (query: MarksQuery) => engine.marks(query),
    (marks: Marks) => {
      if (asked_of !== state.lanes) return;
      state.marks = marks;
      // Short ops are merged over more pixels where there are too many of them, from the next request on.
      state.detail = clamp(detailOf(marks.query, state) * (BUDGET / Math.max(marksInWindow(marks), 1)), COARSEST, 1);
      frame.invalidate(Changed.marks);
    },
  );
  return () => {
    if (!state.trace || state.viewport.width === 0) return;
    if (asked_of === state.lanes && asked && suffices(asked, state)) return;
    asked = wanted(state);
    asked_of = state.lanes;
    request(asked);
  };
}

/** Without the margins, which are empty where the trace ends. */
function marksInWindow({ query, x0, x1 }: Marks): number {
  const left = (query.width_px * MARGIN) / (1 + 2 * MARGIN);
  const right = query.width_px - left;
  let count = 0;
  for (let i = 0; i < x0.length; i++) if (x1[i]! >= left && x0[i]! < right) count++;
  return count;
}

/** How many of the core's pixels there are to one of the screen's, at the length of window that the query was made for. */
const detailOf = (query: MarksQuery, state: State): number =>
  query.width_px / (state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN));

/** What the search marks has changed: the marks at hand are out of date although they cover the view. */
export function refreshMarks(context: Context): void {
  const { state, engine, frame } = context;
  const { lanes } = state;
  if (!state.marks) return;
  void engine.marks(wanted(state)).then((marks) => {
    if (state.lanes !== lanes) return;
    state.marks = marks;
    frame.invalidate(Changed.marks);
  });
}

export const scaleOf = (query: MarksQuery): TimeScale =>
  new TimeScale({ start: query.start_ns, end: query.end_ns }, query.width_px);

function wanted(state: State): MarksQuery {
  const window = grown(state.window, MARGIN);
  const { height } = state.viewport;
  return {
    start_ns: window.start,
    end_ns: window.end,
    width_px: Math.round(state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) * state.detail),
    lanes: lanesWithin(state, -height * LANE_MARGIN, height * (1 + LANE_MARGIN)),
  };
}

function suffices(query: MarksQuery, state: State): boolean {
  const length = (query.end_ns - query.start_ns) / (1 + 2 * MARGIN);
  if (Math.abs(length / lengthOf(state.window) - 1) > 0.002) return false;
  const sharper = state.viewport.width * devicePixelRatio * (1 + 2 * MARGIN) * state.detail > query.width_px * 1.5;
  if (sharper) return false;
  const covered: Window = { start: query.start_ns, end: query.end_ns };
  if (!contains(covered, grown(state.window, RESERVE))) return false;
  return holdsAll(query.lanes, lanesWithin(state, 0, state.viewport.height));
}
