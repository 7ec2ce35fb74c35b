// Answers of the core: PathPage.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { PathPart } from './path_parts';

/** Both paths, for the page: rows of the observed path as columns, their sums, and what was found. */
export interface PathPage {
  sentence: string;
  length_ns: Ns;
  static_ns: Ns;
  unexplained_ns: Ns;
  /** By segment of the observed path: its op, its place in `kinds`, its start and end, and what it was queued behind last. */
  ops: number[];
  kind: number[];
  start_ns: Ns[];
  end_ns: Ns[];
  behind: (number | null)[];
  behind_count: number[];
  /** The names of the ops of the segments. */
  names: string[];
  /** The lanes of these ops. */
  lanes: number[];
  /** Words of the kinds of segments. */
  kinds: string[];
  /** The ops that the path leads through, in order, with their lanes, starts and ends, and how each was reached. */
  through: number[];
  through_lanes: number[];
  through_start_ns: Ns[];
  through_end_ns: Ns[];
  through_kind: string[];
  /** The latest start of these ops up to each: where its place along the path is, for a search by halves. */
  through_reach_ns: Ns[];
  /** Their places by lane, then by start, each op once. */
  through_by_lane: number[];
  by_category: PathPart[];
  by_op_type: PathPart[];
  by_scope: PathPart[];
  by_device: PathPart[];
  /** The ops of the static path. */
  static_ops: number[];
  near: number;
  next_length_ns: Ns;
  next_outside_ns: Ns;
  /** Dependencies that ran back in time and were repaired. */
  backward: number;
  backward_largest_ns: Ns;
  /** Neighbours that were scheduled together, and how many of these ran in a row: how far inferred threads are explained. */
  neighbours: number;
  in_a_row: number;
}
