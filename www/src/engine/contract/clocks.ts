// Answers of the core: Clocks, TaskClock, ClockDrift and PairOfTasks.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockUnknown, DriftUnknown } from './words';

export interface Clocks {
  schema: string;
  /** What was found, as a sentence. */
  sentence: string;
  /** The task whose clock the others are compared with; null without any task. */
  reference: string | null;
  /** The number of tensors with a known producer that went between tasks. */
  transfers: number;
  tasks: TaskClock[];
  /** The number of tensors that were received before they were made: as recorded, and with the offsets subtracted. */
  violations_before: number;
  violations_after: number;
  /** The number of tensors whose times contradict the others, however the clocks are aligned. They do not count as violations. */
  contradicting: number;
  /** Why the least correction was not found: `not-proven-least` or `too-many-bounds`; null if it was found. */
  search_limit: string | null;
  pairs: PairOfTasks[];
}

export interface TaskClock {
  task: string;
  /** What is subtracted from the task's timestamps: its part of the least correction. */
  offset_ns: Ns;
  /** The bounds of how much the task is ahead of the reference, from the tensors; null without a bound on that side. */
  low_ns: Ns | null;
  high_ns: Ns | null;
  transfers: number;
  /** Why a bound is missing: `unconnected` or `one-way`; null if none is missing. */
  unknown_because: ClockUnknown | null;
  /** How much faster than the reference the clock runs, in parts per million; null if that cannot be computed. */
  drift_ppm: ClockDrift | null;
  drift_unknown_because: DriftUnknown | null;
}

export interface ClockDrift {
  low: number;
  best: number;
  high: number;
  /** Whether the drift is part of the estimate: only if it cannot be 0. */
  applied: boolean;
}

/** The tensors that one task sent to another, and how many of them were received before they were made. */
export interface PairOfTasks {
  source: string;
  destination: string;
  transfers: number;
  violations_before: number;
  violations_after: number;
}
