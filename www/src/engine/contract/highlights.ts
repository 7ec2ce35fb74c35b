// Answers of the core: Highlights, IdleAccelerator and LargestType.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';
import type { Straggler } from './network_stragglers';
import type { TensorRow } from './network_waits';
import type { Category } from './words';

/** At most one of each, the most important kind first. */
export interface Highlights {
  schema: string;
  /** How long what is shown is. */
  span_ns: Ns;
  /** Whether more than one step is shown: then one has to say which. */
  several_steps: boolean;
  /** Where clocks differ: said first, and no straggler and no wait then. */
  clocks?: ClockNote;
  /** The straggler that finished last by most, if that is a hundredth of the span. */
  straggler: Straggler | null;
  /** The accelerator that was idle longest, if that is a tenth of the span. */
  idle: IdleAccelerator | null;
  /** The tensor that a device waited for longest, if that is a hundredth of the span. */
  wait: TensorRow | null;
  /** The op type that computed longest. */
  op_type: LargestType | null;
}

/** An accelerator that did nothing. */
export interface IdleAccelerator {
  /** Its name. */
  name: string;
  /** How long it did nothing. */
  idle_ns: Ns;
}

/** The op type that computed longest: on accelerators, or on all devices where there are none. */
export interface LargestType {
  /** Its name. */
  op_type: string;
  /** The category of its ops. */
  category: Category;
  /** How many ops. */
  count: number;
  /** Without what ops nested in them cover. */
  self_ns: Ns;
  /** For how long at least one of them ran, where `self_ns`, a sum over ops, is longer than the span; else null. */
  any_ns: Ns | null;
  /** Its part of the own time of all that computed there, in parts per million. */
  share_ppm: number;
  /** The longest op of this type, of the first of these devices that ran any. */
  longest: number;
}
