// Answers of the core: BarRow and ComparedOp.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What one cause adds to the difference. */
export interface BarRow {
  /**
   * The kind of the cause: `op`, `link`, `wait`, `only-a`, `only-b`, `batch`, `threads`, `clocks`, `others` (all groups that are no bar) or
   * `rest` (what the lengths of ops do not explain).
   */
  cause: string;
  /** How the ops changed, and what that does to the step. */
  sentence: string;
  /** What it adds to the step: B minus A. */
  difference_ns: Ns;
  /** The time of its ops in A, without waiting; null for `threads`, `others` and `rest`. */
  a_ns: Ns | null;
  /** The time of its ops in B. */
  b_ns: Ns | null;
  /** The op type; null where the cause has none. */
  op_type: string | null;
  /** The device, as A calls it, or B where only B has it; null where the cause has none. */
  device: string | null;
  /** How many pairs of ops, and ops without a partner, the bar has. */
  ops_count: number;
  /** The ops of A, those that add most first; at most twenty. */
  ops_a: ComparedOp[];
  /** The ops of B. */
  ops_b: ComparedOp[];
}

/** An op of a bar. */
export interface ComparedOp {
  /** Its name; for a transfer its tensor. */
  op: string;
  /** Its row in `steplens ops --json`. */
  op_row: number;
  /** The row of its partner in the other trace; null without one. */
  partner_row: number | null;
  /** Its device. */
  device: string;
  /** When it started. */
  start_ns: Ns;
  /** When it ended. */
  end_ns: Ns;
  /** How much longer it takes in B than its partner in A. */
  adds_ns: Ns;
}
