// Answers of the core: OpTypeRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category, Place } from './words';
import type { WorkFigures } from './work';

/**
 * The ops of one type that overlap a range. If no device or lanes are chosen, devices that repeat the numbered streams of a
 * GPU (`stream:all`, `memcpy`) are left out.
 */
export interface OpTypeRow extends WorkFigures {
  op_type: string;
  category: Category;
  /** `accelerator` or `host`: where these ops ran. Accelerators come first. */
  place: Place;
  count: number;
  /** Their time within the window. */
  total_ns: Ns;
  /** Their self time within the window: without the ops nested in them. Sums use this time. */
  self_ns: Ns;
  /** How long at least one of them ran; null if the sum is no longer than the range. */
  any_ns: Ns | null;
  /** The mean, the percentiles (nearest rank) and the maximum of their whole durations. */
  mean_ns: Ns;
  p50_ns: Ns;
  p99_ns: Ns;
  max_ns: Ns;
  /** Its share of the sum of all `self_ns` of its place, in parts per million. */
  share_ppm: number;
  /** The longest op of this type, which a click selects. */
  longest: number;
}
