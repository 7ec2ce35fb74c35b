// Answers of the core: OrderOfDevice, StepOfOrder, Inversion and Parameter.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { OrderUnknown } from './words';

/** The order on one device: core's DeviceOrder. */
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

/** The order in one step: core's StepOrder. */
export interface StepOfOrder {
  /** The number of the step, as in `steplens steps`: from 1. */
  step: number;
  tensors: number;
  inversions: number;
  pairs: number;
  lost_ns: Ns;
  replay_error_ns: Ns;
  /** The parameters for which ops waited longest though they could have arrived before a parameter that was needed later. */
  worst: Inversion[];
  /** The first parameters, in the order in which they should arrive. */
  better: Parameter[];
}

/** Two tensors that arrived in the opposite order of need. */
export interface Inversion {
  late: OpRef;
  early: OpRef;
  overtaken_by: number;
  user: OpRef;
  waited_ns: Ns;
}

/** A parameter, when it arrived, and when it should. */
export interface Parameter {
  /** Its transfer. */
  op: OpId;
  /** The tensor part of its key, which distinguishes it from others of its name. */
  tensor: string;
  /** The device that sent it. */
  source: string;
  /** The size. */
  bytes: number;
  /** Its place in the order of arrival, from 0. */
  received_rank: number;
  /** When it arrived. */
  received_ns: Ns;
  /** When it would have arrived in the better order. */
  better_ns: Ns;
  /** When its first op would start if every tensor were there from the beginning, counted from that beginning. */
  needed_ns: Ns;
}
