// Answers of the core: BarRow and ComparedOp.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What one cause adds to the difference. */
export interface BarRow {
  /** The kind of the cause: `op`, `link`, `wait`, `only-a`, `only-b`, `batch`, `clocks` or `rest`. */
  cause: string;
  /** The cause in words, with what it adds. */
  sentence: string;
  /** What it adds: B minus A, without what was hidden. */
  difference_ns: Ns;
  /** Its time in A's step. Negative where ops that follow one another in B overlap in A. */
  a_ns: Ns;
  /** Its time in B's step. Negative where ops that follow one another in A overlap in B. */
  b_ns: Ns;
  /** How much of the change other work of the shorter step hid, so that it adds nothing to the difference. */
  hidden_ns: Ns;
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
  /** What it and its partner add to the difference, before anything is hidden. */
  adds_ns: Ns;
}
