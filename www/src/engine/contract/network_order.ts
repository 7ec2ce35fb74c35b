// Answers of the core: OrderOfDevice, StepOfOrder, Inversion and Parameter.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { OrderUnknown } from './words';

/** The order of one device: core's DeviceOrder. */
export interface OrderOfDevice {
  device: DeviceId;
  name: string;
  steps: number;
  tensors: number;
  inversions: number | null;
  pairs: number | null;
  lost_ns: Ns | null;
  replay_error_ns: Ns | null;
  unknown_because: OrderUnknown | null;
  /** The step that lost most: its number, its figures and its tensors. */
  worst_step: StepOfOrder | null;
}

/** One step of it: core's StepOrder. */
export interface StepOfOrder {
  /** Which step, as `steplens steps` counts them: from 1. */
  step: number;
  tensors: number;
  inversions: number;
  pairs: number;
  lost_ns: Ns;
  replay_error_ns: Ns;
  /** What ops waited for longest though it could have come before something that was needed later. */
  worst: Inversion[];
  /** The first of them, in the order in which they should come. */
  better: Parameter[];
}

/** Two tensors that came the other way round than they were needed. */
export interface Inversion {
  late: OpRef;
  early: OpRef;
  overtaken_by: number;
  user: OpRef;
  waited_ns: Ns;
}

/** A parameter as it came, and as it should. */
export interface Parameter {
  /** Its transfer. */
  op: OpId;
  /** The tensor part of its key, which separates it from others of its name. */
  tensor: string;
  /** The device that sent it. */
  source: string;
  /** Its size. */
  bytes: number;
  /** As which it came, from 0. */
  received_rank: number;
  /** When. */
  received_ns: Ns;
  /** When it would have come in the better order. */
  better_ns: Ns;
  /** When its first op would start if every tensor were there from the beginning, counted from then. */
  needed_ns: Ns;
}
