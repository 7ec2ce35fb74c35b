// What is under the pointer, found in the marks that are drawn: no question to the core.
import { lowerBound } from '../base/geom';
import type { LaneId } from '../engine/protocol';
import type { Batch } from './batch';

/**
 * The index of the mark of `lane` at `x`, in the marks' own pixels, or the nearest within `slack`; null where there is
 * none. Marks of a lane are in order of time and do not overlap.
 */
export function markAt(batch: Batch, lane: LaneId, x: number, slack: number): number | null {
  const row = batch.row_of.get(lane);
  if (row === undefined) return null;
  const from = batch.row_starts[row] ?? 0;
  const to = batch.row_starts[row + 1] ?? 0;
  const { x0, x1 } = batch.marks;
  const after = lowerBound(from, to, x, (index) => x0[index] ?? Infinity);
  let nearest: number | null = null;
  let distance = slack;
  for (const index of [after - 1, after]) {
    if (index < from || index >= to) continue;
    const away = Math.max((x0[index] ?? 0) - x, x - (x1[index] ?? 0), 0);
    // At equal distance the later one: it was drawn over the other.
    if (away <= distance) {
      nearest = index;
      distance = away;
    }
  }
  return nearest;
}
