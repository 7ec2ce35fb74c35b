// Answers of the core: Listed.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** The first rows of a table, and the number of all rows. */
export interface Listed<R> {
  /** The number of all rows. */
  total: number;
  /** The first rows. */
  rows: R[];
}
