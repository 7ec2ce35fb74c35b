// Answers of the core: LinkRow, LargestTransfer, LinkTable, Peaks and TrafficLinks.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The transfers from one place to another; without a source from everywhere, without a destination to everywhere. */
export interface LinkRow {
  /** The place that sent. */
  source: string | null;
  /** The place that received. */
  destination: string | null;
  /** The number of transfers. */
  count: number;
  /** Their bytes; null if none were recorded. */
  bytes: number | null;
  /** How many of them have a known time in transit: the figures that follow are of these. */
  timed: number;
  /** The time in which at least one of them was in transit. */
  busy_ns: Ns;
  /** Their bytes divided by that time. */
  bytes_per_second: number | null;
  /** The median of their times in transit. */
  p50_ns: Ns | null;
  /** The time in transit that 99 of 100 of them do not exceed. */
  p99_ns: Ns | null;
  /** The largest of all transfers. */
  largest: LargestTransfer | null;
  /** The first send. */
  first_ns: Ns | null;
  /** The last arrival. */
  last_ns: Ns | null;
}

/** The largest transfer of a link. */
export interface LargestTransfer {
  /** Its tensor. */
  tensor: string;
  /** Its size. */
  bytes: number;
}

/** Links between devices or between tasks, and their sums. */
export interface LinkTable {
  /** The places in natural order. */
  places: string[];
  /** The links in order of source and destination. */
  pairs: LinkRow[];
  /** What each place sent, in the order of places. */
  sent: LinkRow[];
  /** What each place received. */
  received: LinkRow[];
  /** The sum of all links. */
  all: LinkRow;
}

/** The most that was in transit. */
export interface Peaks {
  /** Bytes per second are averages over windows of this length, wherever they begin. */
  window_ns: Ns;
  /** The most bytes per second in any such window. */
  bytes_per_second: number;
  /** The start of that window. */
  at_ns: Ns;
  /** The most transfers in transit at any moment. */
  in_flight: number;
  /** The first moment with that many. */
  in_flight_at_ns: Ns;
}

/**
 * The links with the most bytes in a window, each with the part in the window; the bandwidth is an average over the whole
 * window.
 */
export interface TrafficLinks {
  links: LinkRow[];
  /** The number of other links with any bytes. */
  more: number;
}
