// Answers of the core: StepList, Step, UsualFigures and Usual.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Split } from './summary';
import type { Apart, StepRule } from './words';

/** `steplens.steps/1`: in order of time; those without ops come last. */
export interface StepList {
  schema: string;
  /** What makes a step: `content`, `file`, `part` or `together`. */
  rule: StepRule;
  /** Why one of them is shown first: `listed` or `far`; left out where all are shown on one axis. */
  apart?: Apart;
  /** The row of `steps` that is usual by what repeats: what is shown first where one is; null where none has ops. */
  first: number | null;
  steps: Step[];
  usual: UsualFigures;
}

/** A step or run that the files hold. The split is that of all its devices together. */
export interface Step extends Split {
  /** The file of its first part. */
  file: string;
  /** What the container calls it; empty if it says nothing. */
  name: string;
  /** The number that the container gives it. */
  number: number | null;
  /** When it was recorded, in ns from 1970 as decimal text: it does not fit a double. */
  recorded_unix_ns: string | null;
  /** What else the container says, as (what, value). */
  facts: [string, string][];
  /** How many parts (messages, records, documents) it is made of. */
  parts: number;
  ops: number;
  /** From the trace's origin. */
  start_ns: Ns;
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

/** What a figure usually is, over the steps that have ops. */
export interface Usual {
  mean: number;
  deviation: number;
  min: number;
  p50: number;
  p99: number;
  max: number;
}
