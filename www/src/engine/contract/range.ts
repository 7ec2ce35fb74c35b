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
  /** Per device (by DeviceId). Only ops of the chosen device or lanes count. */
  splits: Split[];
  /** The same of `Summary.accelerators`. */
  accelerators: Split[];
  /** The mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** At every moment what any device does. Left out where their clocks differ. */
  any_device?: Split;
  ops: number;
  /** Transfers into the chosen device or lanes whose receipt lies in the window. */
  transfers: number;
  /** Others of which it is not known when they were received. */
  untimed_transfers: number;
  transferred_bytes: number;
  /** The transfers by source and destination, the most bytes first. */
  links: RangeLink[];
}
