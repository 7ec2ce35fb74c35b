// Answers of the core: StepsCompared, SampleRow and OpTypeOverSteps.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The steps of both traces. */
export interface StepsCompared {
  /** Whether the lengths differ, as a sentence. */
  sentence: string;
  /** The lengths of A's steps; null without any. */
  a: SampleRow | null;
  /** The lengths of B's steps. */
  b: SampleRow | null;
  /** The median of B minus that of A. */
  difference_ns: Ns | null;
  /** How likely lengths as different are by chance, by the rank test of Mann and Whitney. Null below four steps a side. */
  probability: number | null;
  /** Whether that is below 5 %. */
  significant: boolean;
  /** The time of each op type in a step, by how much its medians differ. Empty with less than two steps a side. */
  op_types: OpTypeOverSteps[];
}

/** A figure over the steps of one trace. */
export interface SampleRow {
  /** How many steps. */
  steps: number;
  /** The median. */
  median_ns: Ns;
  /** Where the median of all such steps lies with 95 %: its lower end. Null below six steps. */
  low_ns: Ns | null;
  /** The upper end. */
  high_ns: Ns | null;
  /** How many steps lie outside of Tukey's fences. They are not left out. */
  outliers: number;
}

/** The time of an op type in each step. */
export interface OpTypeOverSteps {
  /** The op type. */
  op_type: string;
  /** The sums in A's steps. */
  a: SampleRow | null;
  /** The sums in B's steps. */
  b: SampleRow | null;
  /** The median of B minus that of A; null where one has none. */
  difference_ns: Ns | null;
  /** How likely sums as different are by chance; null below four steps a side. */
  probability: number | null;
  /** Whether that is below 5 % for all op types together, by Holm. */
  significant: boolean;
}
