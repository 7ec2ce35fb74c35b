// Answers of the core: AlignedRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** Two steps, aligned at an op. */
export interface AlignedRow {
  /** How much of the difference comes before the op, and how much after it, as a sentence. */
  sentence: string;
  /** Its name in A; of a transfer its tensor. */
  op: string;
  /** Its row in `steplens ops --json` of A. */
  op_row_a: number;
  /** The row of its partner in B. */
  op_row_b: number;
  /** From the start of A's step to the start of the op. */
  before_a_ns: Ns;
  /** The same in B. */
  before_b_ns: Ns;
  /** From the start of the op to the end of A's step. */
  after_a_ns: Ns;
  /** The same in B. */
  after_b_ns: Ns;
}
