// Where the critical path lies on the canvas.
import type { Rect } from '../../base/geom';
import type { TimeScale } from '../../base/time_scale';
import type { LaneId, PathPage } from '../../engine/protocol';
import { pathOf } from '../../state/shown/path';
import type { State } from '../../state/state';

type Box = (op: { lane: LaneId; start_ns: number; end_ns: number }) => Rect;

/** The boxes of the ops of the path in sight, in order, and one more at each side; none while the timeline is not lit. */
export function litBoxes(state: State, scale: TimeScale, box: Box): Rect[] | null {
  const path = state.path_lit ? pathOf(state) : null;
  if (!path) return null;
  const window = { start: scale.toNs(0), end: scale.toNs(scale.width) };
  const [first, end] = inSight(path, window);
  const boxes: Rect[] = [];
  for (let at = first; at < end; at++) {
    const [lane, start_ns, end_ns] = [path.through_lanes[at], path.through_start_ns[at], path.through_end_ns[at]];
    if (lane === undefined || start_ns === undefined || end_ns === undefined) continue;
    boxes.push(box({ lane, start_ns, end_ns }));
  }
  return merged(boxes);
}

/** Ops follow one another in time along the path. */
function inSight({ through_start_ns, through_end_ns }: PathPage, { start, end }: { start: number; end: number }): [number, number] {
  let first = through_end_ns.findIndex((at) => at >= start);
  if (first < 0) first = through_end_ns.length;
  let last = through_start_ns.findIndex((at) => at > end);
  if (last < 0) last = through_start_ns.length;
  return [Math.max(first - 1, 0), Math.min(last + 1, through_start_ns.length)];
}

/** Neighbours in one lane that lie within a pixel are one box: so many ops may be in sight that each is less than that. */
function merged(boxes: Rect[]): Rect[] {
  const kept: Rect[] = [];
  for (const box of boxes) {
    const last = kept.at(-1);
    if (last && last.y === box.y && box.x - (last.x + last.width) < 1) last.width = Math.max(last.width, box.x + box.width - last.x);
    else kept.push({ ...box });
  }
  return kept;
}
