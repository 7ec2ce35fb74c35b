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
  /** When communication ran on it. */
  communication_ns: Ns;
  /** When a compute op ran, too. */
  hidden_ns: Ns;
  /** When nothing else ran, neither compute nor copy. */
  exposed_ns: Ns;
  /** When nothing ran, not even communication, because what it waited for was not sent yet. */
  idle_before_ns: Ns;
  /** What it waited for longest. */
  longest: LongestWait | null;
}

/** What a device waited for longest. */
export interface LongestWait {
  tensor: string;
  is_gradient: boolean;
  source: string | null;
  waited_ns: Ns;
  worst: number;
}
