// Answers of the core: ArgumentRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** An argument of the event of an op. */
export interface ArgumentRow {
  /**
   * What it is, if that is known: `shapes`, `types`, `strides`, `inputs`, `module`, `stack`, `grid`, `block`, `registers`,
   * `shared-memory`, `occupancy`, `stream`, `correlation`, `bytes`, `bandwidth` or `flops`.
   */
  noun: string | null;
  /** As the file calls it. */
  name: string;
  /** As the file has it; texts without quotes. */
  value: string;
}
