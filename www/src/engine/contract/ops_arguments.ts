// Answers of the core: ArgumentRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** An argument of the event of an op. */
export interface ArgumentRow {
  /**
   * Its meaning, if it is known: `shapes`, `types`, `strides`, `inputs`, `module`, `stack`, `grid`, `block`, `registers`,
   * `shared-memory`, `occupancy`, `stream`, `correlation`, `bytes`, `bandwidth` or `flops`.
   */
  noun: string | null;
  /** The name in the file. */
  name: string;
  /** The value in the file; texts without quotes. */
  value: string;
}
