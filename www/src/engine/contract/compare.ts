// Answers of the core: Compare, ComparedSide, Matches and Unmatched.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { AlignedRow } from './compare_align';
import type { FindingBoth } from './compare_findings';
import type { StepsCompared } from './compare_over_steps';
import type { ReasonRow } from './compare_reasons';
import type { DeviceBoth, LinkBoth, MemoryBoth, OpTypeBoth } from './compare_tables';
import type { BarRow } from './compare_waterfall';

/** Two traces, compared. */
export interface Compare {
  schema: string;
  /** How the steps differ, as a sentence. */
  sentence: string;
  /** Whether nothing but what the steps did explains the difference of their times. */
  comparable: boolean;
  /** Why times cannot be compared as they are, the gravest first; empty if they can. */
  not_comparable: ReasonRow[];
  /** The trace before the change. */
  a: ComparedSide;
  /** The trace after it. */
  b: ComparedSide;
  /** The length of B's step minus that of A's. */
  difference_ns: Ns;
  /**
   * Where the difference comes from: the largest causes first, then all others and the rest. They add up to
   * `difference_ns`.
   */
  waterfall: BarRow[];
  /** That a replay is too far off the recording for its bars to be sure, as a sentence; null if it is not. */
  doubt: string | null;
  /** How many ops have a partner, by what matched them. */
  matches: Matches;
  /** The ops of A without a partner, by name and device; those with the longest sum first. */
  unmatched_a: Unmatched[];
  /** The ops of B without a partner. */
  unmatched_b: Unmatched[];
  /** Op types, by how much their self time differs. */
  op_types: OpTypeBoth[];
  /** Links between tasks, by how much their busy time differs. */
  links: LinkBoth[];
  /** Devices, by how much their busy time differs. */
  devices: DeviceBoth[];
  /** Peaks of memory, by how much they differ. Empty where A and B do not have the same reading of memory. */
  memory: MemoryBoth[];
  /** All steps of both traces. */
  steps: StepsCompared;
  /** What would help in A and in B; null unless it is asked for. */
  findings: FindingBoth[] | null;
  /** Both steps aligned at an op; null unless it is asked for. */
  aligned: AlignedRow | null;
}

/** What of a trace is compared. */
export interface ComparedSide {
  /** The place of the step from 1; null if all that was opened is compared. */
  step: number | null;
  /** How many steps were opened. */
  steps: number;
  /** The length of what is compared. */
  length_ns: Ns;
  /** The number of its ops. */
  ops: number;
}

/**
 * How many pairs of ops each pass matched. `exact`, `retyped`, `renumbered`, `structural` and `edited` with `only_a` are all ops of A, and
 * with `only_b` all ops of B.
 */
export interface Matches {
  /** By name, op type, shapes and occurrence. */
  exact: number;
  /** By name, where a library carries out the same work under another op type. */
  retyped: number;
  /** By name without numbers, op type and occurrence; or by name, with other shapes. */
  renumbered: number;
  /** By op type, depth of scope, and the types of the ops around. */
  structural: number;
  /** By the order of op types in a scope. */
  edited: number;
  /** The ops of A without a partner. */
  only_a: number;
  /** The ops of B without a partner. */
  only_b: number;
  /** How many of all pairs have other shapes. */
  reshaped: number;
  /** How many of the ops without a partner lie in scopes too large to be aligned. */
  not_aligned: number;
}

/** Ops of one name on one device that have no partner. */
export interface Unmatched {
  /** Their name; of transfers their tensor. */
  name: string;
  /** Their op type. */
  op_type: string;
  /** Their device. */
  device: string;
  /** How many. */
  count: number;
  /** The sum of their durations. */
  total_ns: Ns;
  /** The row of the longest of them in `steplens ops --json`. */
  op_row: number;
}
