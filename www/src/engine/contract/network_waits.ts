// Answers of the core: TensorRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';

/** One tensor, or one that a device waited for; of single waits, with their step. */
export interface TensorRow {
  tensor: string;
  is_gradient: boolean;
  device?: DeviceId;
  source?: string;
  /** As `steplens steps` counts them: from 1. */
  step?: number;
  transfers: number;
  destinations: number;
  /** Null where nothing recorded it. */
  bytes: number | null;
  waited_ns: Ns;
  idle_before_ns: Ns;
  delayed_ns: Ns | null;
  /** The transfer that most of it is blamed on. */
  worst: number;
}
