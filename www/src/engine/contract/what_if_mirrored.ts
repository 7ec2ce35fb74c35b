// Answers of the core: MirroredTimeline and MirroredDevice.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** Both timelines. */
export interface MirroredTimeline {
  /** The length that both are drawn on: that of the longer step. */
  length_ns: Ns;
  /** The devices that were busy longest, in the order of the trace. */
  devices: MirroredDevice[];
  /** The number of devices that are left out. */
  left_out: number;
}

/** A device in both timelines. */
export interface MirroredDevice {
  /** Its name. */
  device: string;
  /** For each part of the step how much of it the device was busy without changes, in percent. */
  before: number[];
  /** The same with the changes; empty without changes. */
  after: number[];
}
