// Answers of the core: OpPage and OpRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { OpRef } from './op_ref';
import type { Category } from './words';

export interface OpPage {
  total: number;
  rows: OpRow[];
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}
