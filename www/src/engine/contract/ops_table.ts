// Answers of the core: OpPage, LengthBin and OpRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';
import type { Category } from './words';

export interface OpPage {
  total: number;
  rows: OpRow[];
  /** Why the text of the filter is invalid; then there are no rows. */
  problem: string | null;
}

/** Ops of about the same length. */
export interface LengthBin {
  /** The least length. */
  from_ns: Ns;
  /** All lengths are less than this. */
  to_ns: Ns;
  count: number;
  total_ns: Ns;
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}
