// Every op as typed arrays: what `ops()` says, for who reads millions of them.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/**
 * Every op, in the order of `ops()`: a typed array for each of its fields.
 *
 * Times count from the trace's origin, in ns; lengths are ns, sizes bytes. A column of texts holds rows of `texts`.
 */
export interface OpColumns {
  /** How many ops there are. */
  length: number;
  /** Each text once: `columns.texts[columns.name[op]]` is the name of an op. */
  texts: string[];
  /** Its number. */
  op: Uint32Array;
  /** The place of its step, from 1. */
  step: Uint32Array;
  /** Its device. A row of `texts`. */
  device: Uint32Array;
  /** The process of a cluster that it ran in, if its device names one. A row of `texts`; 4294967295 if it is not known. */
  task: Uint32Array;
  /** Its lane, from 0 within the device. */
  lane: Uint32Array;
  /** The number of its thread, as its format has it or a host profiler recorded it. */
  thread: Uint32Array;
  /** The name of its node. A row of `texts`. */
  name: Uint32Array;
  /** Its type. A row of `texts`. */
  op_type: Uint32Array;
  /** What its time is spent on. A row of `texts`. */
  category: Uint32Array;
  /** Why it is of this category. A row of `texts`. */
  reason: Uint32Array;
  /** When it started. */
  start_ns: Float64Array;
  /** When it ended. */
  end_ns: Float64Array;
  /** How long it lasted. */
  duration_ns: Float64Array;
  /** How long it lasted without what ops nested in it cover. */
  self_ns: Float64Array;
  /** When it was scheduled, if that was recorded. Else `NaN`. */
  scheduled_ns: Float64Array;
  /** When its kernel started. */
  op_start_ns: Float64Array;
  /** When its kernel ended. */
  op_end_ns: Float64Array;
  /** What its outputs asked for; of a copy, what it moved. */
  bytes: Float64Array;
  /** What the file says of it in words. A row of `texts`. */
  label: Uint32Array;
  /** How many figures of all columns are beyond `Number.MAX_SAFE_INTEGER`, and so rounded to the nearest double. */
  rounded: number;
}
