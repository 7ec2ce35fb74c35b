// Answers of the core: PathOverSteps, StepPathRow, KindRow and OnPathRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clocks_note';

/** The critical paths of several steps. */
export interface PathOverSteps {
  schema: string;
  /** What was found, as a sentence. */
  sentence: string;
  /** Why times of tasks cannot be compared. If it is not null, there are no paths. */
  clocks?: ClockNote;
  /** The length of all steps together. */
  length_ns: Ns;
  /** The length of their static paths together, as with a barrier between steps. */
  static_ns: Ns;
  /** Each step with ops, in order of time. */
  steps: StepPathRow[];
  /** All observed paths together: the time of each kind that occurs. */
  by_category: KindRow[];
  /** The ops on any of the paths: those on most paths first, then by time. */
  ops: OnPathRow[];
}

/** The paths of a step. */
export interface StepPathRow {
  /** The number of the step, from 1. */
  step: number;
  /** The length of the observed path. */
  length_ns: Ns;
  /** The length of the static path. */
  static_ns: Ns;
  /** The kind with the most time on the observed path. */
  most: string;
  /** The time of that kind. */
  most_ns: Ns;
  /** How much of the observed path has no recorded cause. */
  unexplained_ns: Ns;
}

/** The time of one kind on all paths. */
export interface KindRow {
  /** The kind. */
  key: string;
  /** The time. */
  length_ns: Ns;
}

/** An op on the paths. */
export interface OnPathRow {
  /** The name of the op. */
  op: string;
  /** Its device. */
  device: string;
  /** The number of steps whose path it is on. */
  steps: number;
  /** Its share of a step (1 is the whole step): the median over the steps whose path it is on. */
  median_share: number;
  /** Its time on all these paths. */
  length_ns: Ns;
  /** Its time in the step in which it has most. */
  longest_ns: Ns;
  /** The number of that step, from 1. */
  longest_step: number;
}
