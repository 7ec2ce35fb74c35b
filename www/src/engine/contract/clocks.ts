// Answers of the core: Clocks, TaskClock, ClockDrift and PairOfTasks.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockUnknown, DriftUnknown } from './words';

export interface Clocks {
  schema: string;
  /** What was found, for people. */
  sentence: string;
  /** Whose clock the others are compared with; null where there is no task. */
  reference: string | null;
  /** How many tensors of known producers went between tasks. */
  transfers: number;
  tasks: TaskClock[];
  /** How many tensors were received before they were made, as recorded and with the offsets subtracted. */
  violations_before: number;
  violations_after: number;
  /** How many more have times that contradict the others' however the clocks are set; no violations. */
  contradicting: number;
  /** What kept the least correction from being found: `not-proven-least` or `too-many-bounds`; null where it was found. */
  search_limit: string | null;
  pairs: PairOfTasks[];
}

export interface TaskClock {
  task: string;
  /** What to subtract from its timestamps: its part of the least correction. */
  offset_ns: Ns;
  /** Between which the tensors say that it is ahead of the reference; null where nothing bounds it on that side. */
  low_ns: Ns | null;
  high_ns: Ns | null;
  transfers: number;
  /** Why a bound is missing: `unconnected` or `one-way`; null where none is. */
  unknown_because: ClockUnknown | null;
  /** How many millionths faster than the reference it goes; null where that cannot be computed. */
  drift_ppm: ClockDrift | null;
  drift_unknown_because: DriftUnknown | null;
}

export interface ClockDrift {
  low: number;
  best: number;
  high: number;
  /** Whether it is part of the estimate: where it cannot be 0. */
  applied: boolean;
}

/** What one task sent to another, and how much of it was received before it was made. */
export interface PairOfTasks {
  source: string;
  destination: string;
  transfers: number;
  violations_before: number;
  violations_after: number;
}
