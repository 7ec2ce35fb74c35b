// Answers of the core: OpTypeRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category, Place } from './words';

/**
 * The ops of one type that overlap a range. Without a choice of device or lanes, what repeats the numbered streams of a GPU
 * (`stream:all`, `memcpy`) is left out.
 */
export interface OpTypeRow {
  op_type: string;
  category: Category;
  /** `accelerator` or `host`: where these ops ran. Those of accelerators come first. */
  place: Place;
  count: number;
  /** Their time within the window. */
  total_ns: Ns;
  /** The same without what ops nested in them cover: what is summed. */
  self_ns: Ns;
  /** For how long at least one of them ran; null where the sum is no longer than the range, and so is no surprise. */
  any_ns: Ns | null;
  /** Mean, percentiles (nearest rank) and maximum are of their whole lengths. */
  mean_ns: Ns;
  p50_ns: Ns;
  p99_ns: Ns;
  max_ns: Ns;
  /** Its part of the sum of all `self_ns` of its place, in parts per million. */
  share_ppm: number;
  /** The longest op of this type: where a click leads. */
  longest: number;
}
