// Where an op is on the canvas of the lanes, in CSS pixels.
import type { Rect } from '../../base/geom';
import type { TimeScale } from '../../base/time_scale';
import type { LaneId } from '../../engine/protocol';
import { bandOfLane, laneBox } from '../../state/layout/sight';
import type { Context } from '../../state/state';

/** What pinned devices cover counts as above the canvas, and what is not shown at all, too. */
export function laneMiddle({ state }: Context, lane: LaneId): { y: number; height: number } {
  const band = bandOfLane(state.layout, lane);
  const box = laneBox(state, lane);
  if (!band || !box) return { y: -100, height: 1 };
  const middle = box.y + box.height / 2;
  const covered = !band.pinned && middle < state.layout.pinned_height;
  return { y: covered ? middle - state.layout.pinned_height : middle, height: box.height };
}

export function opRect(context: Context, op: { lane: LaneId; start_ns: number; end_ns: number }, scale: TimeScale): Rect {
  const { y, height } = laneMiddle(context, op.lane);
  const left = Math.max(scale.toPx(op.start_ns), -10);
  const right = Math.min(scale.toPx(op.end_ns), scale.width + 10);
  return { x: left, y: y - height / 2, width: Math.max(right - left, 1), height };
}
