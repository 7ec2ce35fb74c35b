// Answers of the core: DeviceShare and LongestWait.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';

/** Communication of one device, over the whole window. */
export interface DeviceShare {
  /** Its row in `devices` of the summary. */
  device: DeviceId;
  /** Its name. */
  name: string;
  /** The time in which communication ran on it. */
  communication_ns: Ns;
  /** How much of that time a compute op ran, too. */
  hidden_ns: Ns;
  /** How much of that time nothing else ran, neither compute nor copy. */
  exposed_ns: Ns;
  /** Idle before send: the time in which nothing ran, not even communication, because the awaited tensor was not sent yet. */
  idle_before_ns: Ns;
  /** The tensor that it waited for longest. */
  longest: LongestWait | null;
}

/** The tensor that a device waited for longest. */
export interface LongestWait {
  tensor: string;
  is_gradient: boolean;
  source: string | null;
  waited_ns: Ns;
  worst: number;
}
