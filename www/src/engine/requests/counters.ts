// Counters and instants: what is asked of them, and the columns of counters.
import type { Ns } from '../../base/time';

/** What some counters do in [start, end), in columns of STRIP_COLUMN_PX. */
export interface CounterLanesQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  /** By `CounterRow.counter`, ascending. */
  counters: Uint32Array;
}

/** Of each column of a counter: the lowest, the highest and the last value; NaN before its first. */
export const COUNTER_PARTS = 3;

export interface CounterLanes {
  query: CounterLanesQuery;
  /** As many columns for each counter, of COUNTER_PARTS each. */
  columns: Float64Array;
}

/** A window of time, and how wide it is drawn. */
export interface FlagsQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
}
