// Answers of the core: OpTypeRow, RangeLink, RangeSummary, LaneGroup, SearchCounts, OpPage and OpRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';
import type { Split } from './summary';
import type { Category, LaneKind } from './words';

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
  longest: number;
}

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
  /** At every moment what any device does. */
  any_device: Split;
  ops: number;
  /** Transfers into the chosen device or lanes whose receipt lies in the window. */
  transfers: number;
  /** Others of which it is not known when they were received. */
  untimed_transfers: number;
  transferred_bytes: number;
  /** The transfers by source and destination, the most bytes first. */
  links: RangeLink[];
}

/** A run of a device's lanes that belong together. */
export interface LaneGroup {
  /** '' for packed ops, 'communication' for the packed rest; else a thread, an op type or a name scope. */
  name: string;
  lanes: number;
  /** What most of its ops do. */
  kind: LaneKind;
}

export interface SearchCounts {
  query: string;
  regex: boolean;
  count: number;
  per_device: number[];
  problem: string | null;
}

export interface OpPage {
  total: number;
  rows: OpRow[];
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}
