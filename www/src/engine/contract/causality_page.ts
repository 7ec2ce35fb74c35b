// Answers of the core: PathPage and PathThrough.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { PathPart } from './causality_parts';
import type { ClockNote } from './clocks_note';

/** Both paths for the page: the observed path as columns, its sums, and what was found. */
export interface PathPage {
  sentence: string;
  /** Why times of its tasks cannot be compared. If it is not null, both paths are empty. */
  clocks?: ClockNote;
  length_ns: Ns;
  static_ns: Ns;
  unexplained_ns: Ns;
  /**
   * The next columns have a value for each segment of the observed path: its op, the index of its kind in `kinds`, its start, its
   * end, the op that held its thread or link last, how many ops ended there meanwhile, and how much earlier it could have run.
   */
  ops: number[];
  kind: number[];
  start_ns: Ns[];
  end_ns: Ns[];
  behind: (number | null)[];
  behind_count: number[];
  earlier_ns: Ns[];
  /** The names of the ops of the segments. */
  names: string[];
  /** The lanes of these ops. */
  lanes: number[];
  /** The words for the kinds of segments. */
  kinds: string[];
  /**
   * The paths along which the timeline can be highlighted: the observed path, the static path, and of all paths by dependencies
   * the one that shares least with the static path.
   */
  observed_path: PathThrough;
  static_path: PathThrough;
  next_path: PathThrough;
  by_category: PathPart[];
  by_op_type: PathPart[];
  by_scope: PathPart[];
  by_device: PathPart[];
  by_frame: PathPart[];
  near: number;
  next_length_ns: Ns;
  next_outside_ns: Ns;
  /** The number of dependencies that ran back in time and were repaired. */
  backward: number;
  backward_largest_ns: Ns;
  /**
   * The number of neighbours that were scheduled together, and how many of these ran in a row: how well inferred threads explain
   * the order of ops.
   */
  neighbours: number;
  in_a_row: number;
  /** The number of ops of executors, and how many of them have a recorded thread. */
  thread_ops: number;
  threads_recorded: number;
}

/** The ops of a path, in order, as columns. */
export interface PathThrough {
  lanes: number[];
  start_ns: Ns[];
  end_ns: Ns[];
  /** For each op the latest start of the ops up to it, so that a place along the path can be found by binary search. */
  reach_ns: Ns[];
  /** The indexes of these ops by lane, then by start, each op once. */
  by_lane: number[];
}
