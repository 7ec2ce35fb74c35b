// Marks made ready for drawing: in groups of one fill each, so that the fill changes as seldom as can be.
import type { LaneId, Marks } from '../engine/protocol';
import { bucketOf, DENSITY_LEVELS } from './theme';

const MATCHES = 1 << 6;
const LIT = 1 << 7;
/** One for each fill; the fills of marks that do not stand out come first. */
export const FADED_FILLS = 64 * DENSITY_LEVELS;
export const FILLS = 2 * FADED_FILLS;
/** Those of stacks, then those of lanes: an op that is seen by itself is not covered by what is merged around it. */
const GROUPS = 2 * FILLS;

export interface Batch {
  marks: Marks;
  /** The bits of the style that a mark has which stands out. */
  wanted: number;
  /** Mark indices by group; group g is drawn with fill g % FILLS and holds order[starts[g]] to order[starts[g + 1]]. */
  order: Uint32Array;
  starts: Uint32Array;
  /** Row of a lane, for looking up what is under the pointer. */
  row_of: Map<LaneId, number>;
  /** Row of the stack that a row lies in, or -1. */
  stack_of: Int32Array;
  /** Marks of row r are at row_starts[r]..row_starts[r + 1]. */
  row_starts: Uint32Array;
  /** Marks with a text. */
  labelled: Uint32Array;
}

/** Whether the others stand back only a little: with a search they stand far back. */
export const isSoft = ({ marks, wanted }: Batch): boolean => marks.light === 'soft' && (wanted & MATCHES) === 0;

/** Whether a mark stands out: all do while nothing is searched and nothing lit. */
export const standsOut = ({ marks, wanted }: Batch, index: number): boolean => ((marks.style[index] ?? 0) & wanted) === wanted;

export function batchOf(marks: Marks, searching: boolean): Batch {
  const { row, style, density, text, stacks } = marks;
  const wanted = (searching ? MATCHES : 0) | (marks.light !== 'off' ? LIT : 0);
  const n_marks = row.length;
  const n_lanes = marks.query.lanes.length;
  const n_rows = n_lanes + stacks.length / 2;
  const n_names = marks.names.length;
  const starts = new Uint32Array(GROUPS + 1);
  const row_starts = new Uint32Array(n_rows + 1);
  const group_of = new Uint16Array(n_marks);
  let n_labelled = 0;
  for (let i = 0; i < n_marks; i++) {
    const lit = (style[i]! & wanted) === wanted;
    const group = (row[i]! < n_lanes ? FILLS : 0) + (lit ? FADED_FILLS : 0) + bucketOf(style[i]!, density[i]!);
    group_of[i] = group;
    starts[group + 1]!++;
    row_starts[row[i]! + 1]!++;
    if (text[i]! < n_names) n_labelled++;
  }
  for (let group = 0; group < GROUPS; group++) starts[group + 1]! += starts[group]!;
  for (let row = 0; row < n_rows; row++) row_starts[row + 1]! += row_starts[row]!;
  const next = starts.slice();
  const order = new Uint32Array(n_marks);
  const labelled = new Uint32Array(n_labelled);
  n_labelled = 0;
  for (let i = 0; i < n_marks; i++) {
    order[next[group_of[i]!]!++] = i;
    if (text[i]! < n_names) labelled[n_labelled++] = i;
  }
  const row_of = new Map<LaneId, number>();
  marks.query.lanes.forEach((lane, row) => row_of.set(lane, row));
  const stack_of = new Int32Array(n_lanes).fill(-1);
  for (let stack = 0; 2 * stack < stacks.length; stack++) stack_of.fill(n_lanes + stack, stacks[2 * stack], stacks[2 * stack + 1]);
  return { marks, wanted, order, starts, row_of, stack_of, row_starts, labelled };
}
