// Answers of the core: TensorRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';

/** One tensor, or one tensor that a device waited for; for single waits with their step. */
export interface TensorRow {
  /** The name of the variable, otherwise of the op that made it. */
  tensor: string;
  /** Whether it is a gradient for that variable. */
  is_gradient: boolean;
  /** The device that waited. */
  device?: DeviceId;
  /** The device that sent it, where it was one alone. */
  source?: string;
  /** The number of the step, as in `steplens steps`: from 1. */
  step?: number;
  /** The number of its transfers. */
  transfers: number;
  /** The number of different destination devices. */
  destinations: number;
  /** The bytes of its transfers; null if they were not recorded. */
  bytes: number | null;
  /** Exposed communication that is blamed on it. */
  waited_ns: Ns;
  /** Idle before send: how long devices were idle before it was sent. */
  idle_before_ns: Ns;
  /** How much later its first consumers could start because of it; null if that is not known. */
  delayed_ns: Ns | null;
  /** The transfer with the most blame. */
  worst: number;
}
