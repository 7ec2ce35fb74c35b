// The shapes of `steplens.network/1`, as the program prints it.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId, OpRef } from './ids';

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
  stragglers: Stragglers;
  waits_by_tensor: Listed<TensorRow>;
  tensors: Listed<TensorRow>;
  collectives: Collectives;
  tensorflow_tracer: { step_time_us: number; communication_time_us: number; communication_elapsed_time_us: number };
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

/** The links that carry most in a window, each with what lies in the window; its speed is over all of it. */
export interface TrafficLinks {
  links: LinkRow[];
  /** How many others carry anything. */
  more: number;
}

/** The first rows of a long table. */
export interface Listed<R> {
  total: number;
  rows: R[];
}

export interface Stragglers extends Listed<Straggler> {
  /** How often each task was the straggler, the most often first. */
  often: [task: string, times: number][];
}

/** Who ended last among its peers in one step. */
export interface Straggler {
  step: number;
  task: string;
  after_next_ns: Ns;
  /** How much later than the median of its peers. */
  behind_ns: Ns;
  /** It and its peers, the last one first; `tasks` is how many they are. */
  ended: { task: string; ended_ns: Ns; op: OpId }[];
  tasks: number;
  chain: { ops: number; before_ns: Ns; running_ns: Ns; waiting_ns: Ns; queued_ns: Ns; wire_ns: Ns };
  cause: Cause | null;
}

/** How long an op waited or ran, or when its input came or it was scheduled; and the median of its peers. */
export interface Cause {
  kind: 'ran-late' | 'took-long' | 'input-late' | 'started-late';
  op: OpRef;
  input: OpRef | null;
  /** Who sent the input, if it was sent. */
  source: string | null;
  own_ns: Ns;
  usual_ns: Ns | null;
}

/** A tensor; `device` and `source` are there where it is what one device waited for. */
export interface TensorRow {
  tensor: string;
  is_gradient: boolean;
  device?: DeviceId;
  source?: string;
  transfers: number;
  destinations: number;
  bytes: number;
  waited_ns: Ns;
  idle_before_ns: Ns;
  delayed_ns: Ns | null;
  /** The transfer that most is blamed on. */
  worst: OpId;
}

export interface Collectives extends Listed<Collective> {
  /** How many have participants that are known. */
  matched: number;
  time_ns: Ns;
  waiting_ns: Ns | null;
  /** How often each device came last, the most often first. */
  last: [device: DeviceId, times: number][];
}

/** One collective; null where its participants are not known. */
export interface Collective {
  step: number;
  /** The op that came last. */
  op: OpRef;
  last_by_ns: Ns | null;
  time_ns: Ns;
  waiting_ns: Ns | null;
  participant_count: number | null;
}

/** Communication of one device: `communication_ns` is hidden behind compute, exposed, or beside a copy. */
export interface DeviceShare {
  device: DeviceId;
  name: string;
  communication_ns: Ns;
  hidden_ns: Ns;
  exposed_ns: Ns;
  /** Idle, because what it waited for was not sent yet. */
  idle_before_ns: Ns;
  longest: { tensor: string; is_gradient: boolean; source: string | null; waited_ns: Ns; worst: OpId } | null;
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
