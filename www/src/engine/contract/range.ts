// Answers of the core: RangeLink and RangeSummary.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Split } from './summary';

export interface RangeLink {
  source: string;
  destination: string;
  count: number;
  bytes: number;
}

/** The figures of a range. */
export interface RangeSummary {
  /** For each device (by DeviceId) how its time divides. Only ops of the chosen device or lanes count. */
  splits: Split[];
  /** For each of `Summary.accelerators` how its time divides. */
  accelerators: Split[];
  /** The mean of the accelerators, or of all devices without accelerators. */
  step: Split;
  /** All devices together: compute means that any device computes. Left out if their clocks differ. */
  any_device?: Split;
  ops: number;
  /** The number of transfers to the chosen device or lanes that arrive in the window. */
  transfers: number;
  /** The number of other transfers, whose arrival is not known. */
  untimed_transfers: number;
  transferred_bytes: number;
  /** The transfers by source and destination, the most bytes first. */
  links: RangeLink[];
}
