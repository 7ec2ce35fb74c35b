// Answers of the core: Flags, InstantFlag, InstantDetails and InstantArgument.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, LaneId } from '../ids';

/** What to draw of a window. */
export interface Flags {
  /** Row by row, in order of time. */
  flags: InstantFlag[];
}

/** Instants that one flag stands for: they are too close to draw each. */
export interface InstantFlag {
  /** The first of them. */
  instant: number;
  /** How many they are. */
  count: number;
  /** The name of the first. */
  name: string;
  /** When it was. */
  at_ns: Ns;
  /** The row of its device, or null if its process ran no op. */
  device: DeviceId | null;
  /** The lane of its thread, or null if it is of no thread, or of one without ops. */
  lane: LaneId | null;
  /** Whether it is about all of the trace. */
  is_global: boolean;
}

/** One instant. */
export interface InstantDetails {
  /** Its name. */
  name: string;
  /** When it was. */
  at_ns: Ns;
  /** The device, or null if its process ran no op. */
  device: string | null;
  /** The process without ops, or null. */
  process: string | null;
  /** Whether it is about all of the trace. Otherwise it is about its thread, or about its process. */
  is_global: boolean;
  /** The name of its thread, or the number if it has no name; null if it is about no thread. */
  thread: string | null;
  /** What was recorded with it, in the order of the file. */
  arguments: InstantArgument[];
}

/** One argument. */
export interface InstantArgument {
  /** Its name in the file. */
  name: string;
  /** Its value: a text as it is, anything else as JSON. */
  value: string;
}
