// Answers of the core: OpPage, LengthBin and OpRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';
import type { Category } from './words';

export interface OpPage {
  total: number;
  rows: OpRow[];
  /** Why the text of the filter cannot be searched for; there are no rows then. */
  problem: string | null;
}

/** Ops that are about as long. */
export interface LengthBin {
  /** At least. */
  from_ns: Ns;
  /** Less than. */
  to_ns: Ns;
  count: number;
  total_ns: Ns;
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}
