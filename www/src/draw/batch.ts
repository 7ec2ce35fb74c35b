// Marks made ready for drawing: in groups of one fill each, so that the fill changes as seldom as can be.
import type { LaneId, Marks } from '../engine/protocol';
import { bucketOf, DENSITY_LEVELS } from './theme';

const MATCHES = 1 << 5;
const BUCKETS = 32 * DENSITY_LEVELS;

export interface Batch {
  marks: Marks;
  /** Mark indices by fill: those of fill f that match the search (or all, without one) are at starts[f]..starts[f + 1]. */
  order: Uint32Array;
  starts: Uint32Array;
  /** Row of a lane, for looking up what is under the pointer. */
  row_of: Map<LaneId, number>;
  /** Marks of row r are at row_starts[r]..row_starts[r + 1]. */
  row_starts: Uint32Array;
  /** Marks with a text. */
  labelled: Uint32Array;
}

export const matches = (marks: Marks, index: number): boolean => ((marks.style[index] ?? 0) & MATCHES) !== 0;

/** The faded half of the fills comes first, so that matches are drawn over what does not match. */
export function batchOf(marks: Marks, searching: boolean): Batch {
  const n_marks = marks.row.length;
  const n_rows = marks.query.lanes.length;
  const starts = new Uint32Array(2 * BUCKETS + 1);
  const row_starts = new Uint32Array(n_rows + 1);
  const bucket = new Uint16Array(n_marks);
  let n_labelled = 0;
  for (let i = 0; i < n_marks; i++) {
    const style = marks.style[i] ?? 0;
    const lit = !searching || (style & MATCHES) !== 0;
    const group = (lit ? BUCKETS : 0) + bucketOf(style, marks.density[i] ?? 255);
    bucket[i] = group;
    starts[group + 1]!++;
    row_starts[(marks.row[i] ?? 0) + 1]!++;
    if ((marks.text[i] ?? 0) < marks.names.length) n_labelled++;
  }
  for (let group = 0; group < 2 * BUCKETS; group++) starts[group + 1]! += starts[group]!;
  for (let row = 0; row < n_rows; row++) row_starts[row + 1]! += row_starts[row]!;
  const next = starts.slice();
  const order = new Uint32Array(n_marks);
  const labelled = new Uint32Array(n_labelled);
  n_labelled = 0;
  for (let i = 0; i < n_marks; i++) {
    order[next[bucket[i]!]!++] = i;
    if ((marks.text[i] ?? 0) < marks.names.length) labelled[n_labelled++] = i;
  }
  const row_of = new Map<LaneId, number>();
  marks.query.lanes.forEach((lane, row) => row_of.set(lane, row));
  return { marks, order, starts, row_of, row_starts, labelled };
}

export const FADED_BUCKETS = BUCKETS;
