// What is under the pointer: which mark, which op, and what the page says about it.
import { ns, type Ns } from '../../base/time';
import { TimeScale } from '../../base/time_scale';
import { markAt } from '../../draw/hit';
import type { LaneId, OpId } from '../../engine/protocol';
import { COLORS, NONE, STRIP_COLUMN_PX, STRIP_PARTS } from '../../engine/protocol';
import { pathOf, segmentAt, segmentOf } from '../../state/shown/path';
import {
  hoverClosed,
  hoverCounter,
  hoverFlag,
  hoverOp,
  hoverPath,
  hoverStrip,
  hoverTraffic,
  leaveHover,
  setHoverX,
} from '../../state/shown/hover';
import { scaleOf } from '../../state/shown/marks';
import { laneAt, stripAt } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import type { InFlight, OnWire } from '../../state/types';
import { timeScale } from '../../state/shown/view';
import { counterUnder, flagUnder } from './counter_lanes';
import type { Point } from './gestures';
import type { Drawn } from './drawn';

/** How far from a mark the pointer still hits it; a finger covers more. */
const HIT_SLACK = 4;
export const TOUCH_SLACK = 12;

/** The index of the mark under a point, looked up in what is drawn. */
function markUnder({ state }: Context, drawn: Drawn, point: Point, slack: number): number | null {
  const lane = laneAt(state, point.y);
  if (lane === null || !drawn.batch) return null;
  const scale = scaleOf(drawn.batch.marks.query);
  const x = scale.toPx(timeScale(state).toNs(point.x));
  // The slack is meant in pixels of the screen, whatever the scale of the marks at hand.
  return markAt(drawn.batch, lane, x, (slack / timeScale(state).density) * scale.density);
}

export async function opAt(context: Context, drawn: Drawn, point: Point, slack: number = HIT_SLACK): Promise<OpId | null> {
  const index = markUnder(context, drawn, point, slack);
  if (index === null || !drawn.batch) return null;
  const { op, count } = drawn.batch.marks;
  const longest = op[index] ?? NONE;
  if (count[index] === 1) return longest;
  // A mark of many: the one at the pointer, if the pointer is that exact, else the longest of them.
  const lane = laneAt(context.state, point.y) ?? 0;
  const scale = timeScale(context.state);
  return (await context.engine.ask('opAt', lane, ns(Math.round(scale.toNs(point.x))), scale.lengthOf(0.5))) ?? longest;
}

/** The transfers at a point that are drawn as one, and the moment there. */
function closedAt({ state }: Context, { x, y }: Point): { first_lane: LaneId; lanes: number; at: Ns } | null {
  const found = stripAt(state, y);
  const closed = found?.band.closed;
  if (!closed || found.strip.y !== closed.y) return null;
  return { first_lane: closed.first_lane, lanes: closed.lanes, at: ns(Math.round(timeScale(state).toNs(x))) };
}

/** The longest of the transfers at a point, or the nearest one. */
export function transferAt(context: Context, point: Point, slack: number = HIT_SLACK): Promise<OpId | null> | null {
  const closed = closedAt(context, point);
  const slack_ns = ns(timeScale(context.state).lengthOf(slack));
  return closed && context.engine.ask('longestAt', closed.first_lane, closed.lanes, closed.at, slack_ns);
}

/** The column of a density strip under a point. */
function inFlightAt({ state }: Context, drawn: Drawn, { x, y }: Point): InFlight | null {
  const found = stripAt(state, y);
  const marks = drawn.batch?.marks;
  if (!found || !marks) return null;
  const { device } = found.band;
  const { of } = found.strip;
  const row = marks.query.strips.indexOf(device);
  const scale = scaleOf(marks.query);
  const column = Math.floor(scale.toPx(timeScale(state).toNs(x)) / STRIP_COLUMN_PX);
  const columns = Math.ceil(marks.query.width_px / STRIP_COLUMN_PX);
  if (row < 0 || column < 0 || column >= columns) return null;
  const at = (row * columns + column) * STRIP_PARTS;
  const all = marks.strips.subarray(at, at + STRIP_PARTS);
  return {
    device,
    of,
    column: { start: scale.toNs(column * STRIP_COLUMN_PX), end: scale.toNs((column + 1) * STRIP_COLUMN_PX) },
    by_color: Array.from({ length: COLORS }, (_, color) => {
      const work = of === 'communication' ? 0 : (all[color] ?? 0);
      return of === 'work' ? work : work + (all[COLORS + color] ?? 0);
    }),
    color_by: marks.color_by,
    longest: null,
  };
}

/** The column of the traffic at `x`. */
function trafficAt({ state }: Context, x: number): OnWire | null {
  const { traffic } = state;
  if (!traffic) return null;
  const { start_ns, end_ns, width_px } = traffic.query;
  const scale = new TimeScale({ start: start_ns, end: end_ns }, width_px);
  const column = Math.floor(scale.toPx(timeScale(state).toNs(x)) / STRIP_COLUMN_PX);
  const bytes_per_second = traffic.columns[2 * column];
  const in_flight = traffic.columns[2 * column + 1];
  if (bytes_per_second === undefined || in_flight === undefined) return null;
  const at = (edge: number) => scale.toNs(edge * STRIP_COLUMN_PX);
  return { column: { start: at(column), end: at(column + 1) }, bytes_per_second, in_flight, links: null };
}

export interface Hoverer {
  /** Whether there is something to click at the point: an op, or the strip of a folded device. */
  at: (point: Point) => boolean;
  /** What is in transit at the point. */
  onWire: (point: Point) => void;
  /** The segment of the path at the point. */
  onPath: (point: Point) => void;
  leave: () => void;
  /** Where the pointer is in time. */
  x: (x: number | null) => void;
}

/** Keeps what is under the pointer in the state. */
export function hoverer(context: Context, drawn: Drawn): Hoverer {
  const { state } = context;
  const leave = () => leaveHover(context);
  return {
    at(point) {
      const flag = flagUnder(state, point);
      if (flag) {
        hoverFlag(context, point, flag);
        return true;
      }
      const on_counter = counterUnder(state, point);
      if (on_counter) {
        hoverCounter(context, point, on_counter);
        return false;
      }
      const in_flight = inFlightAt(context, drawn, point);
      if (in_flight) {
        const longest = () => transferAt(context, point, HIT_SLACK);
        if (closedAt(context, point)) hoverClosed(context, point, in_flight, longest);
        else hoverStrip(context, point, in_flight);
        return in_flight.by_color.some((average) => average > 0) || state.layout.by_device[in_flight.device]?.folded === true;
      }
      const index = markUnder(context, drawn, point, HIT_SLACK);
      const marks = drawn.batch?.marks;
      const op = index === null ? undefined : marks?.op[index];
      if (op === undefined || index === null) {
        leave();
        return false;
      }
      hoverOp(context, point, op, marks?.count[index] ?? 1);
      return true;
    },
    onWire(point) {
      const column = trafficAt(context, point.x);
      if (column) hoverTraffic(context, point, column);
      else leave();
    },
    onPath(point) {
      const path = pathOf(state);
      const place = path && segmentAt(path, timeScale(state).toNs(point.x));
      if (path && place !== null) hoverPath(context, point, { place, segment: segmentOf(path, place) });
      else leave();
    },
    leave,
    x: (x) => setHoverX(context, x),
  };
}
