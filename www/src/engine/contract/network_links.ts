// Answers of the core: LinkRow, LargestTransfer, LinkTable, Peaks and TrafficLinks.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What went from one place to another; from everywhere where there is no source, to everywhere where there is no destination. */
export interface LinkRow {
  /** The place that sent. */
  source: string | null;
  /** The place that received. */
  destination: string | null;
  /** How many transfers. */
  count: number;
  /** Their bytes; null where none were recorded. */
  bytes: number | null;
  /** How many of them have a known time on the wire: what follows is of these. */
  timed: number;
  /** When at least one of them was on the wire. */
  busy_ns: Ns;
  /** Their bytes over that time. */
  bytes_per_second: number | null;
  /** The median of their times on the wire. */
  p50_ns: Ns | null;
  /** What 99 of a hundred of them do not exceed. */
  p99_ns: Ns | null;
  /** The largest transfer, of all of them. */
  largest: LargestTransfer | null;
  /** The first sending. */
  first_ns: Ns | null;
  /** The last receipt. */
  last_ns: Ns | null;
}

/** The largest transfer of a link. */
export interface LargestTransfer {
  /** Its tensor. */
  tensor: string;
  /** Its size. */
  bytes: number;
}

/** Links between devices or between tasks, and what they add up to. */
export interface LinkTable {
  /** The places in natural order. */
  places: string[];
  /** The links in order of source and destination. */
  pairs: LinkRow[];
  /** What each place sent, in the order of places. */
  sent: LinkRow[];
  /** What each place received. */
  received: LinkRow[];
  /** All of it. */
  all: LinkRow;
}

/** The most that was on the wire. */
export interface Peaks {
  /** Bytes a second are over stretches of this length, wherever they begin. */
  window_ns: Ns;
  /** The most bytes a second of any such stretch. */
  bytes_per_second: number;
  /** When that stretch begins. */
  at_ns: Ns;
  /** The most transfers in flight at any moment. */
  in_flight: number;
  /** When that was first. */
  in_flight_at_ns: Ns;
}

/** The links that carry most in a window, each with what lies in the window; its speed is over all of it. */
export interface TrafficLinks {
  links: LinkRow[];
  /** How many others carry anything. */
  more: number;
}
