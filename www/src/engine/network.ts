// The shapes of `steplens.network/1`, as the program prints it: part of the contract in protocol.ts.
import type { Ns } from '../base/time';
import type { DeviceId, OpId, OpRef } from './protocol';

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
  order: OrderOfDevice[];
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

/** Whether the parameters of a device came in the order in which ops need them, over all steps; null where that cannot be told. */
export interface OrderOfDevice {
  device: DeviceId;
  name: string;
  steps: number;
  tensors: number;
  inversions: number | null;
  pairs: number | null;
  lost_ns: Ns | null;
  replay_error_ns: Ns | null;
  unknown_because: 'fewer-than-two-parameters' | 'producers-not-recorded' | 'consumers-not-recorded' | null;
  /** The step that lost most. */
  worst_step: StepOfOrder | null;
}

export interface StepOfOrder {
  step: number;
  tensors: number;
  inversions: number;
  pairs: number;
  lost_ns: Ns;
  replay_error_ns: Ns;
  /** What ops waited for longest though it could have come before something that was needed later. */
  worst: { late: OpRef; early: OpRef; overtaken_by: number; user: OpRef; waited_ns: Ns }[];
  /** The parameters in the order in which they should come; the first of very many. */
  better: Parameter[];
}

export interface Parameter {
  op: OpId;
  tensor: string;
  source: string;
  bytes: number;
  /** As which it came, from 0. */
  received_rank: number;
  received_ns: Ns;
  better_ns: Ns;
  needed_ns: Ns;
}
