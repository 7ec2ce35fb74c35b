// Answers of the core: Found and FoundDevice.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The content of the files, including ops that are left out. */
export interface Found {
  /** The first start of any op, in ns from 1970. */
  origin_unix_ns: string;
  /** The time from there to the last end. For devices that are not selected, times are not read. */
  span_ns: Ns;
  devices: FoundDevice[];
}

export interface FoundDevice {
  name: string;
  ops: number;
  /** The number of ops in the trace. */
  shown: number;
}
