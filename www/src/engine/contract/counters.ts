// Answers of the core: Counters and CounterRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The counters of the files, as lanes. */
export interface Counters {
  schema: string;
  /** How many instants the files recorded. */
  instants: number;
  /** How many counters the files recorded. */
  count: number;
  /** The first of them: device by device, then those of processes that ran no op. */
  counters: CounterRow[];
}

/** One counter. */
export interface CounterRow {
  /** The row of the counter. */
  counter: number;
  /** The device, or null if its process ran no op. */
  device: string | null;
  /** The row of the device. */
  device_id: number | null;
  /** The process without ops, or null. */
  process: string | null;
  /** Its name. */
  name: string;
  /** What the value is of: the key of the value in the file. */
  series: string;
  /** The number of values. */
  points: number;
  /** When the first value was recorded. */
  first_ns: Ns;
  /** When the last value was recorded. */
  last_ns: Ns;
  /** The lowest value. */
  min: number;
  /** The mean by time, from the first value to the last one: each holds until the next. Of values at one time it is the last. */
  mean: number;
  /** The highest value. */
  max: number;
}
