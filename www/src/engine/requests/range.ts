// The figures of a range of time.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';

/** The ops that overlap a window: that start before it ends and end after it starts, or have no length and lie within. */
export interface RangeQuery {
  start_ns: Ns;
  end_ns: Ns;
  /** null: all */
  device: DeviceId | null;
  /** null: all */
  lanes: Uint32Array | null;
  /** Whether it is about the whole accelerator that `device` is a part of: all of its streams, and nothing twice. */
  accelerator?: boolean;
}

/** How many ops of a range run at once. Leaves out what op types leave out. */
export interface Concurrency {
  bins: number;
  /** For each of as many equal slices of the window six numbers, by category of WORK: how many ops are in flight on average. */
  in_flight: Float32Array;
  /** The most that are in flight at any moment of the window, exactly. */
  peak: number;
  /** The same by category. */
  peaks: number[];
}
