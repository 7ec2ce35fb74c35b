// Answers of the core: ComparePage, ChangeCounts, DevicePair, ComparedPair and PairedOp.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, LaneId, OpId } from '../ids';
import type { Compare } from './compare';

/** `steplens.compare/1` with the devices that are drawn against one another. */
export interface ComparePage extends Compare {
  /** Every device with its partner: those of A in order, then those that only B has. */
  device_pairs: DevicePair[];
  /** How many pairs, and ops without a partner, differ in each way. */
  changes: ChangeCounts;
}

/** How many pairs, and ops without a partner, differ in each way. */
export interface ChangeCounts {
  /** Pairs that took as long, but for 10 %. */
  same: number;
  /** Pairs that take longer in B. */
  slower: number;
  /** Pairs that take less long in B. */
  faster: number;
  /** Ops of A without a partner. */
  only_a: number;
  /** Ops of B without a partner. */
  only_b: number;
}

/** A device of A and one of B; null where it has no partner. */
export interface DevicePair {
  a: number | null;
  b: number | null;
}

/** An op and its partner. */
export interface ComparedPair {
  /** `same`, `slower` or `faster` in B, or `alone`: it has no partner. */
  change: string;
  /** What matched them: `exact`, `retyped`, `renumbered`, `structural` or `edited`; null without a partner. */
  pass: string | null;
  /** How they differ, as a sentence. */
  sentence: string;
  /** The op of A; null if only B has it. */
  a: PairedOp | null;
  /** The op of B; null if only A has it. */
  b: PairedOp | null;
}

/** One op of a pair. */
export interface PairedOp {
  op: OpId;
  /** Its name; for a transfer its tensor. */
  name: string;
  op_type: string;
  device: DeviceId;
  lane: LaneId;
  start_ns: Ns;
  end_ns: Ns;
}
