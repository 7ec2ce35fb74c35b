// Answers of the core: HeatScale.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** The scale of a picture. */
export interface HeatScale {
  /** What level 1 stands for, in ns or as a part of 1. */
  low: number;
  /** What level 255 stands for. */
  high: number;
  /** Whether values are parts of the step. */
  is_share: boolean;
  /** Whether they are of the largest row of each cell. */
  is_largest: boolean;
  /** How many cells have a value. */
  cells: number;
  /** How many of them lie above the scale; they have level 255. */
  above: number;
  /** The largest value of all. */
  most: number;
}
