// Answers of the core: PathPage and PathThrough.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';
import type { PathPart } from './path_parts';

/** Both paths, for the page: rows of the observed path as columns, their sums, and what was found. */
export interface PathPage {
  sentence: string;
  /** Why times of its tasks cannot be compared. Then both paths are empty. */
  clocks?: ClockNote;
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
  /** What the timeline can be lit along: the observed path, the static one, and of all paths by dependencies the one that shares least with it. */
  observed_path: PathThrough;
  static_path: PathThrough;
  next_path: PathThrough;
  by_category: PathPart[];
  by_op_type: PathPart[];
  by_scope: PathPart[];
  by_device: PathPart[];
  near: number;
  next_length_ns: Ns;
  next_outside_ns: Ns;
  /** Dependencies that ran back in time and were repaired. */
  backward: number;
  backward_largest_ns: Ns;
  /** Neighbours that were scheduled together, and how many of these ran in a row: how far inferred threads are explained. */
  neighbours: number;
  in_a_row: number;
  /** How many ops of executors there are, and of how many of them the thread was recorded. */
  thread_ops: number;
  threads_recorded: number;
}

/** The ops that a path leads through, in order, as columns. */
export interface PathThrough {
  lanes: number[];
  start_ns: Ns[];
  end_ns: Ns[];
  /** The latest start of these ops up to each: where its place along the path is, for a search by halves. */
  reach_ns: Ns[];
  /** Their places by lane, then by start, each op once. */
  by_lane: number[];
}
