// Where the critical path lies on the canvas. What a frame takes grows with the pixels and the logarithm of the path, not with the path.
import { lowerBound, type Rect } from '../../base/geom';
import type { TimeScale } from '../../base/time_scale';
import type { PathArrow } from '../../draw/path';
import type { LaneId, PathThrough } from '../../engine/protocol';
import { bandOfLane, bandsInSight, laneBox, lanesWithin, topOf, uncovered } from '../../state/layout/sight';
import { litOf } from '../../state/shown/path';
import type { State } from '../../state/state';

export interface LitPath {
  /** What the path leads through; no two overlap. */
  boxes: Rect[];
  /** Its transfers that are drawn together with others: at the foot of the hill, where each is a bar of its own. */
  transfers: Rect[];
  /** From each op to the next, in order. */
  arrows: PathArrow[];
}

/** A stretch of a lane, in pixels. */
interface Run {
  left: number;
  right: number;
}

/** The least width of a box that is seen, and the least gap between two. */
const LEAST_BOX_PX = 1.5;
const LEAST_GAP_PX = 1;
/** Ops that begin within so many pixels have an arrow each if they are few; of more, one arrow leads from the first to the last. */
const COLUMN_PX = 8;
const FEW = 3;

/** None while the timeline is not lit. */
export function litPath(state: State, scale: TimeScale, middleOf: (lane: LaneId) => number): LitPath | null {
  const path = litOf(state);
  if (!path) return null;
  const transfers = transfersOf(state, path, scale);
  return { boxes: [...boxesOf(state, path, scale), ...transfers], transfers, arrows: arrowsAlong(path, scale, middleOf) };
}

/** Of the hill's height. */
const FOOT_SHARE = 0.34;

function transfersOf(state: State, path: PathThrough, scale: TimeScale): Rect[] {
  return bandsInSight(state).flatMap((band): Rect[] => {
    const { closed } = band;
    if (!closed) return [];
    const lanes = lanesOf(path, closed.first_lane, closed.first_lane + closed.lanes);
    const tall = Math.max(4, closed.height * FOOT_SHARE);
    const { y, height } = uncovered(state, band, topOf(state, band) + closed.y + closed.height - tall, tall);
    if (height <= 0) return [];
    return joined(lanes.flatMap((lane) => runsOf(path, lane, scale))).map(({ left, right }) => ({
      x: left,
      y,
      width: right - left,
      height,
    }));
  });
}

function boxesOf(state: State, path: PathThrough, scale: TimeScale): Rect[] {
  const boxes: Rect[] = [];
  const add = (runs: Run[], lane: LaneId, box: { y: number; height: number }) => {
    const band = runs.length > 0 ? bandOfLane(state.layout, lane) : undefined;
    if (!band) return;
    const { y, height } = uncovered(state, band, box.y, box.height);
    if (height > 0) for (const { left, right } of runs) boxes.push({ x: left, y, width: right - left, height });
  };
  for (const lane of lanesWithin(state, 0, state.viewport.height)) {
    const box = laneBox(state, lane);
    if (box) add(runsOf(path, lane, scale), lane, box);
  }
  for (const band of bandsInSight(state)) {
    if (!band.folded || !band.strip) continue;
    const runs = band.devices.flatMap((device) => {
      const [first, end] = [state.layout.first_lanes[device] ?? 0, state.layout.first_lanes[device + 1] ?? 0];
      return lanesOf(path, first, end).flatMap((lane) => runsOf(path, lane, scale));
    });
    add(joined(runs), band.first_lane, { y: topOf(state, band) + band.strip.y, height: band.strip.height });
  }
  return boxes;
}

const laneAt = ({ lanes, by_lane }: PathThrough, place: number): number => lanes[by_lane[place] ?? -1] ?? Infinity;

/** The lanes in [first, end) that the path leads through. */
function lanesOf(path: PathThrough, first: LaneId, end: LaneId): LaneId[] {
  const lanes: LaneId[] = [];
  const count = path.by_lane.length;
  const laneOf = (place: number) => laneAt(path, place);
  for (let at = lowerBound(0, count, first, laneOf); at < count && laneOf(at) < end;) {
    const lane = laneOf(at);
    lanes.push(lane);
    at = lowerBound(at, count, lane + 1, laneOf);
  }
  return lanes;
}

/** Where the path is in `lane`, as far as it is in sight. Ops of one lane do not overlap; those too close to tell apart are one run. */
export function runsOf(path: PathThrough, lane: LaneId, scale: TimeScale): Run[] {
  const count = path.by_lane.length;
  const laneOf = (place: number) => laneAt(path, place);
  const startOf = (place: number) => path.start_ns[path.by_lane[place] ?? -1] ?? Infinity;
  const endOf = (place: number) => path.end_ns[path.by_lane[place] ?? -1] ?? Infinity;
  const first = lowerBound(0, count, lane, laneOf);
  const end = lowerBound(first, count, lane + 1, laneOf);
  const runs: Run[] = [];
  for (let at = lowerBound(first, end, scale.start, endOf); at < end && startOf(at) <= scale.end; at++) {
    const left = Math.max(scale.toPx(startOf(at)), -10);
    let right = Math.max(scale.toPx(endOf(at)), left + LEAST_BOX_PX);
    for (;;) {
      const next = lowerBound(at + 1, end, scale.toNs(right + LEAST_GAP_PX), startOf);
      if (next === at + 1) break;
      at = next - 1;
      right = Math.max(right, scale.toPx(endOf(at)));
    }
    runs.push({ left, right: Math.min(right, scale.width + 10) });
  }
  return runs;
}

/** Runs of several lanes in one strip. */
function joined(runs: Run[]): Run[] {
  const kept: Run[] = [];
  for (const run of runs.sort((a, b) => a.left - b.left)) {
    const last = kept.at(-1);
    if (last && run.left - last.right < LEAST_GAP_PX) last.right = Math.max(last.right, run.right);
    else kept.push(run);
  }
  return kept;
}

/** The arrows in sight. Columns stand still in time while the view moves. */
export function arrowsAlong(path: PathThrough, scale: TimeScale, middleOf: (lane: LaneId) => number): PathArrow[] {
  const { reach_ns, lanes } = path;
  const count = lanes.length;
  const reachOf = (place: number) => reach_ns[place] ?? Infinity;
  const px = (at: number) => Math.min(Math.max(scale.toPx(at), -10), scale.width + 10);
  const arrows: PathArrow[] = [];
  const lead = (from: number, to: number) => {
    const x = px(path.end_ns[from] ?? 0);
    arrows.push({
      from: { x, y: middleOf(lanes[from] ?? 0) },
      to: { x: Math.max(px(path.start_ns[to] ?? 0), x), y: middleOf(lanes[to] ?? 0) },
      between: to - from - 1,
    });
  };
  const column = Math.max(scale.lengthOf(COLUMN_PX), 1);
  const end = Math.min(lowerBound(0, count, scale.end, reachOf) + 1, count);
  for (let at = Math.max(lowerBound(0, count, scale.start, reachOf), 1); at < end;) {
    const next = Math.min(Math.max(lowerBound(at, count, (Math.floor(reachOf(at) / column) + 1) * column, reachOf), at + 1), end);
    if (next - at <= FEW) for (let to = at; to < next; to++) lead(to - 1, to);
    else {
      lead(at - 1, at);
      lead(at, next - 1);
    }
    at = next;
  }
  return arrows;
}
