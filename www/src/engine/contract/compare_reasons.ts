// Answers of the core: ReasonRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** A reason. */
export interface ReasonRow {
  /** `clocks`, `graph`, `batch`, `devices`, `tracing`, `transfers` or `steps`. */
  reason: string;
  /** The reason as a sentence. */
  sentence: string;
  /** What can still be compared, as a sentence. */
  still: string;
}
