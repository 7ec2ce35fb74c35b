// Answers of the core: TensorRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';

/** One tensor, or one that a device waited for; of single waits, with their step. */
export interface TensorRow {
  /** Its name: of the variable, else of what made it. */
  tensor: string;
  /** Whether it is a gradient for that variable. */
  is_gradient: boolean;
  /** The device that waited. */
  device?: DeviceId;
  /** The device that sent it. */
  source?: string;
  /** As `steplens steps` counts them: from 1. */
  step?: number;
  /** How many transfers of it. */
  transfers: number;
  /** To how many devices. */
  destinations: number;
  /** Null where nothing recorded it. */
  bytes: number | null;
  /** Exposed communication that is blamed on it. */
  waited_ns: Ns;
  /** How long devices were idle before it was sent. */
  idle_before_ns: Ns;
  /** How much later its first consumers could start because of it; null where nothing tells. */
  delayed_ns: Ns | null;
  /** The transfer that most of it is blamed on. */
  worst: number;
}
