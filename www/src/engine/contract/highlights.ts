// Answers of the core: Highlights, IdleAccelerator and LargestType.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';
import type { Straggler } from './network_stragglers';
import type { TensorRow } from './network_waits';
import type { Category } from './words';

/** At most one highlight of each kind, the most important kind first. */
export interface Highlights {
  schema: string;
  /** The span of what is shown. */
  span_ns: Ns;
  /** Whether several steps are shown, so that a highlight must name its step. */
  several_steps: boolean;
  /** If it is not null, clocks differ: this is shown first, and there is no straggler and no wait. */
  clocks?: ClockNote;
  /** The straggler that finished last by the largest time, if that is at least a hundredth of the span. */
  straggler: Straggler | null;
  /** The accelerator with the most idle time, if that is at least a tenth of the span. */
  idle: IdleAccelerator | null;
  /** The tensor that a device waited for longest, if that is at least a hundredth of the span. */
  wait: TensorRow | null;
  /** The op type with the most compute time. */
  op_type: LargestType | null;
}

/** An accelerator that was idle. */
export interface IdleAccelerator {
  /** Its name. */
  name: string;
  /** The time in which it was idle. */
  idle_ns: Ns;
}

/** The op type with the most compute time: on accelerators, or on all devices if there are none. */
export interface LargestType {
  /** Its name. */
  op_type: string;
  /** The category of its ops. */
  category: Category;
  /** The number of ops. */
  count: number;
  /** Their self time: without the ops nested in them. */
  self_ns: Ns;
  /** How long at least one of them ran, if `self_ns`, which is a sum over ops, is longer than the span; otherwise null. */
  any_ns: Ns | null;
  /** Its share of the self time of all ops that computed there, in parts per million. */
  share_ppm: number;
  /** The longest op of this type, on the first of these devices that ran any. */
  longest: number;
}
