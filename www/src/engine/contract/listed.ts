// Answers of the core: Listed.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** The first rows of a table, and how many it has in all. */
export interface Listed<R> {
  /** How many there are. */
  total: number;
  /** The first of them. */
  rows: R[];
}
