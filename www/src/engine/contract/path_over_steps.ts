// Answers of the core: PathOverSteps, StepPathRow, KindRow and OnPathRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';

/** The critical paths of several steps. */
export interface PathOverSteps {
  schema: string;
  /** What was found, for people. */
  sentence: string;
  /** Why times of tasks cannot be compared. Then there is no path. */
  clocks?: ClockNote;
  /** How long the steps are together. */
  length_ns: Ns;
  /** How long their static paths are, one after another: as with a barrier between steps. */
  static_ns: Ns;
  /** Each step that has ops, in order of time. */
  steps: StepPathRow[];
  /** The observed paths together: the length of each kind that occurs. */
  by_category: KindRow[];
  /** The ops that are on any of the paths: those on most paths first, then by length. */
  ops: OnPathRow[];
}

/** The paths of a step. */
export interface StepPathRow {
  /** Its place among the steps, from 1. */
  step: number;
  /** How long the observed path is. */
  length_ns: Ns;
  /** How long the static path is. */
  static_ns: Ns;
  /** The largest kind of the observed path. */
  most: string;
  /** How long that is. */
  most_ns: Ns;
  /** How much of it has no recorded cause. */
  unexplained_ns: Ns;
}

/** How long all paths are of one kind. */
export interface KindRow {
  /** The kind. */
  key: string;
  /** How long. */
  length_ns: Ns;
}

/** An op on the paths. */
export interface OnPathRow {
  /** What it is called. */
  op: string;
  /** Its device. */
  device: string;
  /** On the paths of how many steps it is. */
  steps: number;
  /** How much of a step it has there: the median over the steps whose path it is on, of 1. */
  median_share: number;
  /** How long it is on all of them. */
  length_ns: Ns;
  /** How long in the step in which it is longest. */
  longest_ns: Ns;
  /** Which step that is, from 1. */
  longest_step: number;
}
