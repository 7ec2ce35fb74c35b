// The shapes of `steplens.network/1`, as the program prints it: part of the contract in protocol.ts.
import type { Ns } from '../base/time';
import type { DeviceId } from './protocol';

export interface Network {
  schema: 'steplens.network/1';
  span_ns: Ns;
  devices: DeviceShare[];
  links: LinkTable;
  task_links: LinkTable;
  /** What streams of GPUs copied, as links between GPUs and their host. */
  copies: LinkRow[];
  /** Null where nothing has a time on the wire. */
  peaks: Peaks | null;
}

/** Links between devices or between tasks, and what they add up to. */
export interface LinkTable {
  /** In natural order. */
  places: string[];
  pairs: LinkRow[];
  /** By place. */
  sent: LinkRow[];
  received: LinkRow[];
  all: LinkRow;
}

export interface LinkRow {
  /** Null for all. */
  source: string | null;
  destination: string | null;
  count: number;
  /** Null where none were recorded. */
  bytes: number | null;
  /** How many have a known time on the wire: times and speed are of these. */
  timed: number;
  busy_ns: Ns;
  bytes_per_second: number | null;
  p50_ns: Ns | null;
  p99_ns: Ns | null;
  largest: { tensor: string; bytes: number } | null;
  first_ns: Ns | null;
  last_ns: Ns | null;
}

export interface Peaks {
  /** The most bytes a second of any slice of this length. */
  slice_ns: Ns;
  bytes_per_second: number;
  at_ns: Ns;
  in_flight: number;
  in_flight_at_ns: Ns;
}

/** Which transfers: those of one link, or of all links from or to a place. */
export interface Route {
  between: 'device' | 'task';
  /** Null for any. */
  source: string | null;
  destination: string | null;
}

export const EVERY_ROUTE: Route = { between: 'task', source: null, destination: null };

/** What is on the wire in [start, end), in columns of STRIP_COLUMN_PX. */
export interface TrafficQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  route: Route;
}

export interface Traffic {
  query: TrafficQuery;
  /** Column after column: bytes a second, and transfers in flight, on average. */
  columns: Float32Array;
}

/** The links that carry most in a window. */
export interface TrafficLinks {
  links: { source: string; destination: string; bytes_per_second: number; in_flight: number }[];
  /** How many others carry anything. */
  more: number;
}

/** Communication of one device: `communication_ns` is hidden behind compute, exposed, or beside a copy. */
export interface DeviceShare {
  device: DeviceId;
  name: string;
  communication_ns: Ns;
  hidden_ns: Ns;
  exposed_ns: Ns;
}
