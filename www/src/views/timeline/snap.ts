// Snapping: an edge of a range that is dragged near the start or end of an op takes its place.
//
// The marks at hand say at once which op it is, as exactly as they are drawn; the core then says its time to the nanosecond.
import { ns, type Ns } from '../../base/time';
import type { Batch } from '../../draw/batch';
import { laneAt } from '../../state/layout/sight';
import { scaleOf } from '../../state/shown/marks';
import { setRange } from '../../state/shown/select';
import { timeScale } from '../../state/shown/view';
import type { Context } from '../../state/state';
import type { Snap } from '../../state/types';
import type { Point, Snapper } from './gestures';

/** In CSS pixels. */
const SNAP_PX = 6;

export function snapper(context: Context, batchOf: () => Batch | null): Snapper {
  const { state, engine } = context;
  /** What the core has said, by lane and about where. */
  const known = new Map<string, Ns | null>();
  return (point) => {
    const batch = batchOf();
    const near = batch && !point.free ? nearestEdge(context, batch, point) : null;
    if (!near) return null;
    const key = `${near.lane} ${near.at}`;
    const exact = known.get(key);
    if (exact === undefined) {
      known.set(key, null);
      const slack = ns(timeScale(state).lengthOf(1));
      engine.ask('edgeNear', Uint32Array.of(near.lane), near.at, slack).then(
        (at) => {
          known.set(key, at);
          if (at !== null) correct(context, near.at, at);
        },
        () => {
          // What is shown is another trace by now: so is the range.
        },
      );
    }
    return { ...near, at: exact ?? near.at };
  };
}

/** Moves what was set by the marks to where the op begins or ends. */
function correct(context: Context, from: Ns, to: Ns): void {
  const { range, range_lanes } = context.state;
  if (!range || from === to || (range.start !== from && range.end !== from)) return;
  const moved = (edge: Ns) => (edge === from ? to : edge);
  setRange(context, { start: moved(range.start), end: moved(range.end) }, range_lanes);
}

/** Of the single ops in sight; in the lane at the point, if one is near enough there. */
function nearestEdge({ state }: Context, { marks }: Batch, { x, y }: Point): Snap | null {
  const scale = scaleOf(marks.query);
  const own = timeScale(state);
  const at = scale.toPx(own.toNs(x));
  const slack = (SNAP_PX / own.density) * scale.density;
  const here = y < 0 ? null : laneAt(state, y);
  let best = Infinity;
  let found: { edge: number; lane: number } | null = null;
  const { row, x0, x1, count, query } = marks;
  for (let mark = 0; mark < row.length; mark++) {
    if (count[mark] !== 1 || x1[mark]! < at - slack || x0[mark]! > at + slack) continue;
    const lane = query.lanes[row[mark]!];
    if (lane === undefined) continue;
    for (const edge of [x0[mark]!, x1[mark]!]) {
      const away = Math.abs(edge - at);
      if (away > slack) continue;
      const rank = lane === here ? away - slack : away;
      if (rank >= best) continue;
      best = rank;
      found = { edge, lane };
    }
  }
  return found && { at: ns(Math.round(scale.toNs(found.edge))), lane: found.lane };
}
