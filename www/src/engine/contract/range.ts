// The figures of a range of time: splits, op types, concurrency.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId } from './ids';
import type { Category, Split } from './split';

/** The ops that overlap a window: that start before it ends and end after it starts, or have no length and lie within. */
export interface RangeQuery {
  start_ns: Ns;
  end_ns: Ns;
  /** null: all */
  device: DeviceId | null;
  /** null: all */
  lanes: Uint32Array | null;
}

/** The figures of a range. */
export interface RangeSummary {
  /** Per device (by DeviceId). Only ops of the chosen device or lanes count. */
  splits: Split[];
  /** The mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** At every moment what any device does. */
  any_device: Split;
  ops: number;
  /** Transfers into the chosen device or lanes whose receipt lies in the window. */
  transfers: number;
  transferred_bytes: number;
  /** The transfers by source and destination, the most bytes first. */
  links: { source: string; destination: string; count: number; bytes: number }[];
}

/** How many ops of a range run at once. Leaves out what op types leave out. */
export interface Concurrency {
  bins: number;
  /** For each of as many equal slices of the window six numbers, by category of WORK: how many ops are in flight on average. */
  in_flight: Float32Array;
  /** The most that are in flight at any moment of the window, exactly. */
  peak: number;
  /** The same by category. */
  peaks: number[];
}

/**
 * The ops of one type that overlap a range. Without a choice of device or lanes, what repeats the numbered streams of a GPU
 * (`stream:all`, `memcpy`) is left out.
 */
export interface OpTypeRow {
  op_type: string;
  category: Category;
  count: number;
  /** Their time within the window. */
  total_ns: Ns;
  /** The same without what ops nested in them cover: what is summed. */
  self_ns: Ns;
  /** Mean, percentiles (nearest rank) and maximum are of their whole lengths. */
  mean_ns: Ns;
  p50_ns: Ns;
  p99_ns: Ns;
  max_ns: Ns;
  /** Its part of the sum of all `self_ns`, in parts per million. */
  share_ppm: number;
  /** The longest op of this type: where a click leads. */
  longest: OpId;
}
