// What is under the pointer, found in the marks that are drawn: no question to the core.
import { lowerBound } from '../base/geom';
import type { LaneId } from '../engine/protocol';
import type { Batch } from './batch';

/**
 * The index of the mark of `lane`, or of the stack it lies in, at `x`, in the marks' own pixels, or the nearest within
 * `slack`; null where there is none. Marks of a row are in order of time and do not overlap.
 */
export function markAt(batch: Batch, lane: LaneId, x: number, slack: number): number | null {
  const row = batch.row_of.get(lane);
  if (row === undefined) return null;
  const own = nearest(batch, row, x, slack);
  const stack = batch.stack_of[row] ?? -1;
  if (stack < 0 || own?.away === 0) return own?.index ?? null;
  // What is drawn in the lane itself lies over the stack.
  const merged = nearest(batch, stack, x, own ? own.away - Number.EPSILON : slack);
  return (merged ?? own)?.index ?? null;
}

function nearest(batch: Batch, row: number, x: number, slack: number): { index: number; away: number } | null {
  const from = batch.row_starts[row] ?? 0;
  const to = batch.row_starts[row + 1] ?? 0;
  const { x0, x1 } = batch.marks;
  const after = lowerBound(from, to, x, (index) => x0[index] ?? Infinity);
  let found: { index: number; away: number } | null = null;
  for (const index of [after - 1, after]) {
    if (index < from || index >= to) continue;
    const away = Math.max((x0[index] ?? 0) - x, x - (x1[index] ?? 0), 0);
    // At equal distance the later one: it was drawn over the other.
    if (away <= (found?.away ?? slack)) found = { index, away };
  }
  return found;
}
