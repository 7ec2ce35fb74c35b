// Answers of the core: StepList, Step, UsualFigures and Usual.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Split } from './summary';
import type { Apart, StepRule } from './words';

/** `steplens.steps/1`: the steps in order of time; steps without ops come last. */
export interface StepList {
  schema: string;
  /** The rule for steps: `content`, `file`, `part` or `together`. */
  rule: StepRule;
  /** Why one step is shown first: `listed` or `far`; left out if all are shown on one axis. */
  apart?: Apart;
  /** The name of the range with which each step ends, if that marks the steps; left out otherwise. */
  ended_by?: string;
  /** The row of `steps` with a usual step, which is shown first if only one is shown; null if no step has ops. */
  first: number | null;
  steps: Step[];
  usual: UsualFigures;
}

/** A step or run in the files. The split is that of all its devices together. */
export interface Step extends Split {
  /** The file of its first part. */
  file: string;
  /** The name in the container; empty without one. */
  name: string;
  /** The number in the container. */
  number: number | null;
  /** When it was recorded, in ns from 1970 as decimal text, because it does not fit in a double. */
  recorded_unix_ns: string | null;
  /** Other facts in the container, as (name, value). */
  facts: [string, string][];
  /** The number of its parts (messages, records, documents). */
  parts: number;
  ops: number;
  /** What texts call it: `number`, if each step has one of its own, else its place among the steps, from 1; null if it is no step. */
  called: number | null;
  /** Whether it is no step: what ran before the first one that its file numbers, or a run of another graph than the steps are. */
  is_before?: boolean;
  /** Relative to the trace's origin. */
  start_ns: Ns;
  /** How long before it the step before it had ended, where a program marks its steps; otherwise 0. */
  pause_before_ns: Ns;
  transferred_bytes: number;
  /** Whether its length stands out among the others. */
  stands_out: boolean;
}

export interface UsualFigures {
  window_ns: Usual | null;
  compute_ns: Usual | null;
  exposed_input_ns: Usual | null;
  exposed_copy_ns: Usual | null;
  exposed_communication_ns: Usual | null;
  exposed_launch_ns: Usual | null;
  exposed_allocation_ns: Usual | null;
  exposed_waiting_ns: Usual | null;
  idle_ns: Usual | null;
  transferred_bytes: Usual | null;
  ops: Usual | null;
}

/** The usual values of a figure, over the steps with ops. */
export interface Usual {
  mean: number;
  deviation: number;
  min: number;
  p50: number;
  p99: number;
  max: number;
}
