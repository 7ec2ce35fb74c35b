// Answers of the core: Found and FoundDevice.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What the files hold, those ops among it that were left out. */
export interface Found {
  /** The first start of any op, in ns from 1970. */
  origin_unix_ns: string;
  /** From there to the last end; of devices that were not selected, times are not read. */
  span_ns: Ns;
  devices: FoundDevice[];
}

export interface FoundDevice {
  name: string;
  ops: number;
  /** How many of them are in the trace. */
  shown: number;
}
