// Every op as typed arrays: what `ops()` says, for who reads millions of them.

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
  /** Its device, a row of `texts`. */
  device: Uint32Array;
  /** Its lane, from 0 within the device. */
  lane: Uint32Array;
  /** The name of its node, a row of `texts`. */
  name: Uint32Array;
  /** Its type, a row of `texts`. */
  op_type: Uint32Array;
  /** What its time is spent on, a row of `texts`. */
  category: Uint32Array;
  /** Why it is of this category, a row of `texts`. */
  reason: Uint32Array;
  /** What the file says of it in words, a row of `texts`. */
  label: Uint32Array;
  /** When it started. */
  start_ns: Float64Array;
  /** When it ended. */
  end_ns: Float64Array;
  /** How long it lasted without what ops nested in it cover. */
  self_ns: Float64Array;
  /** When it was scheduled; `NaN` if that was not recorded. */
  scheduled_ns: Float64Array;
  /** When its kernel started. */
  op_start_ns: Float64Array;
  /** When its kernel ended. */
  op_end_ns: Float64Array;
  /** What its outputs asked for. */
  bytes: Float64Array;
  /** How many figures of all columns are beyond `Number.MAX_SAFE_INTEGER`, and so rounded to the nearest double. */
  rounded: number;
}
