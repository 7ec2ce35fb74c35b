// What crosses between the page and the core: the shapes of every request and answer.
//
// The Rust side of this contract is crates/steplens-wasm/src/session.rs and crates/steplens-formats/src/json/.
// Times are numbers of nanoseconds from the trace's origin (exact in a double for 104 days); ids are u32 indices.
// Nothing here is a view into wasm memory: typed arrays are copies that the worker transfers.

import type { Ns } from '../base/time';
import type { Clocks, PairOfTasks } from './clocks';
import type { Network, Route, Traffic, TrafficLinks, TrafficQuery } from './network';

export type { Ns };
export type * from './clocks';
export type * from './network';
export type OpId = number;
export type DeviceId = number;
/**
 * Lanes are numbered over the whole trace: a device's lanes are contiguous, in the order of `Summary.devices`. Ids are
 * those of the newest arrangement.
 */
export type LaneId = number;

/** `NONE` stands for "no id" in u32 arrays. */
export const NONE = 0xffffffff;

export const CATEGORIES = ['compute', 'input', 'copy', 'communication', 'launch', 'waiting', 'range'] as const;
export type Category = (typeof CATEGORIES)[number];
/** Those that time divides into: all but ranges, which contain other events and are no work. */
export const WORK = CATEGORIES.slice(0, -1);

/** compute + exposed_input + exposed_copy + exposed_communication + exposed_launch + exposed_waiting + idle = the window, exactly. */
export interface Split {
  window_ns: Ns;
  busy_ns: Ns;
  compute_ns: Ns;
  exposed_input_ns: Ns;
  exposed_copy_ns: Ns;
  exposed_communication_ns: Ns;
  exposed_launch_ns: Ns;
  exposed_waiting_ns: Ns;
  idle_ns: Ns;
  communication_ns: Ns;
  overlapped_communication_ns: Ns;
}

/** The figures of the parts of a window, in the order of WORK, and what is none of them. */
export const PART_FIGURES = [
  'compute_ns',
  'exposed_input_ns',
  'exposed_copy_ns',
  'exposed_communication_ns',
  'exposed_launch_ns',
  'exposed_waiting_ns',
  'idle_ns',
] as const;
export type PartFigure = (typeof PART_FIGURES)[number];

export type DeviceKind = 'cpu' | 'gpu' | 'tpu' | 'stream' | 'stream-all' | 'memcpy' | 'other';

export interface DeviceSummary extends Split {
  name: string;
  /** `/job:worker/replica:0/task:1`, or null for devices without one (GPU streams). */
  task: string | null;
  kind: DeviceKind;
  ops: number;
  /** How many lanes its ops need; the ids of its lanes follow those of the device before it. */
  lanes: number;
  /** How many of them, from the top, are for ops; in the rest communication prevails. */
  op_lanes: number;
  /** Whether its lanes are grouped by thread or stream even when they are packed. */
  by_thread: boolean;
  /** Unset until the totals are known. */
  transfers?: number;
  received_bytes?: number;
  sent_bytes?: number;
  /** Whether a repair touched its figures, and with them those of all devices together. */
  repaired: boolean;
}

export interface Problem {
  code: string;
  count: number;
  /** One sentence: what is wrong, where it was seen first, what was done about it. */
  detail: string;
}

export interface FileSummary {
  name: string;
  format: string;
  bytes: number;
  ops: number;
  problems: Problem[];
  /** What is to be known of it though nothing is wrong; absent where there is nothing. */
  notes?: string[];
}

/** What makes a step: what the files say, every file, every recording; or everything is one. */
export const STEP_RULES = ['content', 'file', 'part', 'together'] as const;
export type StepRule = (typeof STEP_RULES)[number];

/** What of the opened files is looked at. */
export interface View {
  rule: StepRule;
  /** A row of `StepList`, or null for all of them on one axis. */
  step: number | null;
  /** What is repaired, by the codes of findings. */
  repairs: readonly Repair[];
  op_time: OpTime;
  /** What the clocks of tasks are set by: `estimated`, and `TASK=NS` for those set by hand; nothing as recorded. */
  clocks: readonly string[];
}

/** How long ops last: as they were scheduled, while their kernels ran on a GPU, or from the one to the end of the other. */
export const OP_TIMES = ['schedule', 'gpu', 'all'] as const;
export type OpTime = (typeof OP_TIMES)[number];

/** Those findings of the doctor that can be repaired. */
export const REPAIRS = ['time-bases', 'far-ops', 'same-devices', 'repeated-ops'] as const;
export type Repair = (typeof REPAIRS)[number];

/** `steplens.doctor/1`: what is wrong with all that was opened, although it reads well. */
export interface Doctor {
  schema: 'steplens.doctor/1';
  /** What matters most comes first. */
  findings: Finding[];
}

export interface Finding {
  /** One of `REPAIRS` where there is a repair. */
  code: string;
  /** Whether it is only to be known, and nothing is wrong. */
  is_note: boolean;
  title: string;
  sentence: string;
  /** How many ops are concerned. */
  count: number;
  devices: string[];
  /** The first of the ops. */
  ops: FoundOp[];
  /** What a repair would do; null where there is none. */
  repair: string | null;
  repaired: boolean;
}

/** An op of a finding, as it was recorded. */
export interface FoundOp {
  /** Null where it is not in what is looked at: left out by a repair, or of another step. */
  op: OpId | null;
  name: string;
  device: string;
  /** From the first start of all that was opened. */
  start_ns: Ns;
  end_ns: Ns;
}

/** A step or run that the files hold. The split is that of all its devices together. */
export interface Step extends Split {
  file: string;
  /** What its container calls it, or ''. */
  name: string;
  number: number | null;
  /** In ns from 1970; a text because it does not fit a double. */
  recorded_unix_ns: string | null;
  /** What else its container says: what, and the value. */
  facts: [what: string, value: string][];
  /** How many messages, records or documents it is made of. */
  parts: number;
  ops: number;
  /** From the first start of all steps. */
  start_ns: Ns;
  transferred_bytes: number;
  /** Whether its length is unlike that of most others. */
  stands_out: boolean;
}

/** What a figure usually is, over the steps that have ops. */
export interface Usual {
  mean: number;
  deviation: number;
  min: number;
  p50: number;
  p99: number;
  max: number;
}

/** `steplens.steps/1`: in order of time; those without ops come last. */
/** Why one step is shown first: the files list runs of their own, or more than half of the axis lies between steps. */
export type Apart = 'listed' | 'far';

export interface StepList {
  schema: 'steplens.steps/1';
  rule: StepRule;
  apart?: Apart;
  steps: Step[];
  usual: Record<UsualFigure, Usual | null>;
}

export type UsualFigure = 'window_ns' | PartFigure | 'transferred_bytes' | 'ops';

/** `steplens.summary/1`, the very object that `steplens summary --json` prints. */
export interface Summary {
  schema: 'steplens.summary/1';
  files: FileSummary[];
  /** What it is about, and how many steps there are by that rule. */
  view: Omit<View, 'op_time' | 'clocks'> & { steps: number; apart?: Apart; op_time?: OpTime; clocks?: string[] };
  /** The trace's origin in ns since the Unix epoch; a string because it does not fit a double. */
  origin_unix_ns: string;
  span_ns: Ns;
  ops: number;
  /** Unset until the totals are known. */
  transfers?: number;
  transferred_bytes?: number;
  /** The step bar: the mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** All devices together: at every moment it computes if any device computes, and so on. */
  any_device: Split;
  /** Every GPU, TPU or the like once, with the devices that tell what it did. */
  accelerators: ({ name: string; devices: DeviceId[] } & Split)[];
  devices: DeviceSummary[];
}

/** Which marks to draw: lanes `lanes[i]` over [start, end) at `width_px` device pixels. */
export interface MarksQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  lanes: Uint32Array;
  /** From the top of each of `lanes` to the top of the next, in the same pixels: thin neighbours may be merged. */
  pitches: Float32Array;
  /** How many marks are wanted at most. It may become twice as many. */
  most: number;
  /** The devices that are shown as density strips. */
  strips: Uint32Array;
}

/** How wide the columns of density strips are, in the query's pixels. */
export const STRIP_COLUMN_PX = 2;

/**
 * Marks by row, then by time. A mark is one op, or several neighbours that are too short to be told apart at this zoom.
 * Rows are the lanes in the order asked for, and after them the stacks: runs of thin lanes in which short ops are merged.
 * Positions are pixels of the query's own scale (0 at start_ns).
 */
export interface Marks {
  query: MarksQuery;
  /** Index into `query.lanes`; from there on the number of a stack. */
  row: Uint32Array;
  /** For each stack the first of its rows, and the row after its last. */
  stacks: Uint32Array;
  x0: Float32Array;
  x1: Float32Array;
  /** Bits 0-2 category (index into CATEGORIES); bits 3-5 shade 0-7 (stable per op type); bit 6: matches the search. */
  style: Uint8Array;
  /** The op, or the longest of the merged ones. */
  op: Uint32Array;
  /** How many ops the mark stands for; 1 is one op. */
  count: Uint32Array;
  /** Busy share of the mark's width, 0-255; 255 for one op. */
  density: Uint8Array;
  /** Index into `names`, for marks wide enough for text; else NONE. */
  text: Uint32Array;
  names: string[];
  /**
   * Strip after strip in the order of `query.strips`, each `ceil(width_px / STRIP_COLUMN_PX)` columns from start_ns on;
   * for each column three numbers, by category: how many ops of the device are in flight in it on average, exactly.
   */
  strips: Float32Array;
}

/** By what the lanes of every device are arranged; a trace opens packed. */
export const ARRANGEMENTS = ['packed', 'thread', 'op_type', 'scope'] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

/** A run of a device's lanes that belong together. */
export interface LaneGroup {
  /** '' for packed ops, 'communication' for the packed rest; else a thread, an op type or a name scope. */
  name: string;
  lanes: number;
  /** What most of its ops do. */
  kind: 'ops' | 'communication';
}

export interface OpRef {
  op: OpId;
  name: string;
  device: DeviceId;
  lane: LaneId;
  start_ns: Ns;
  end_ns: Ns;
}

/** How surely something is known: graphs say so, or names in labels; or nothing decides between several. */
export type Certainty = 'exact' | 'inferred' | 'ambiguous';

export interface Input {
  /** As the label has it, without `^` and `:k`. */
  name: string;
  slot: number;
  control: boolean;
  /** The op (or the RecvTensor) that made this value, when one was recorded. */
  producer: OpRef | null;
  /** The transfer that brought it, where no op recorded that. */
  silent_transfer: number | null;
  certainty: Certainty;
  /** How many ops the producer may have been, where that is not decided. */
  candidates: number | null;
  /** Nothing came from there this time: another branch, or another input, did. */
  not_taken: boolean;
}

export interface Output {
  slot: number;
  dtype: string;
  shape: string;
  requested_bytes: number;
  allocated_bytes: number;
  allocator: string;
}

export interface AllocatorUse {
  allocator: string;
  total_bytes: number;
  peak_bytes: number;
  live_bytes: number;
  records: { at_ns: Ns; bytes: number }[];
}

/** One row of `steplens.transfers/1`; times that nothing recorded are null. */
export interface Transfer {
  transfer: number;
  /** The op that recorded it, if one did. */
  op: OpId | null;
  tensor: string;
  source: string;
  destination: string;
  /** Which output of its producer it is. */
  output: number;
  /** The variable that it is a value of, or a gradient for. */
  variable: string | null;
  kind: 'value' | 'gradient' | null;
  bytes: number;
  dtype: string | null;
  shape: string | null;
  producer: OpRef | null;
  producer_end_ns: Ns | null;
  sent_ns: Ns | null;
  received_ns: Ns | null;
  queued_ns: Ns | null;
  wire_ns: Ns | null;
  unused_ns: Ns | null;
  delayed_ns: Ns | null;
  bytes_per_second: number | null;
  /** The first of them; `consumer_count` tells how many there are. */
  consumers: OpRef[];
  consumer_count: number;
  /** How producer and consumers were found: exactly, from the graphs; or inferred from labels. */
  joined: 'graph' | 'label' | null;
  /** How surely its producer is known; and of how many it is one. */
  certainty: Certainty;
  candidates: number | null;
  /** Why there is no producer, when there is none: one of the codes of docs. */
  unjoined_because: string | null;
}

export interface OpDetails {
  op: OpId;
  name: string;
  op_type: string;
  category: Category;
  /** What told its category: a field of the format, such as `cat=kernel`, or its op type. */
  reason: string;
  device: DeviceId;
  lane: LaneId;
  start_ns: Ns;
  end_ns: Ns;
  /** Its length without what ops nested in it cover; 0 for a range. */
  self_ns: Ns;
  scheduled_ns: Ns | null;
  queue_ns: Ns | null;
  op_start_ns: Ns;
  op_end_ns: Ns;
  thread: number;
  thread_name: string | null;
  label: string;
  inputs: Input[];
  consumers: OpRef[];
  /** How many consumers there are; `consumers` holds the first of them. */
  consumer_count: number;
  outputs: Output[];
  memory: AllocatorUse[];
  transfer: Transfer | null;
  /** The kernels and copies that it launched on a GPU, in order of start: the first of `kernel_count`. */
  kernels: OpRef[];
  kernel_count: number;
  /** From the start of the first of them to the end of the last. */
  kernels_start_ns: Ns | null;
  kernels_end_ns: Ns | null;
  /** Of a kernel or copy, the op that launched it. */
  launched_by: OpRef | null;
}

/**
 * A part of a text or a regular expression, either without regard to case, to be found in the name, op type, device or
 * label of an op; `name:`, `type:`, `device:` or `label:` in front of the text keeps to that one.
 */
export interface SearchQuery {
  text: string;
  regex: boolean;
}

export interface SearchResult {
  /** The text and the kind of the query that this answers. */
  query: string;
  regex: boolean;
  count: number;
  /** Matches per device, by DeviceId. */
  per_device: number[];
  /** Matching ops in order of start: all of them, or the first million. */
  ops: Uint32Array;
  /** Why the text cannot be searched for, as a sentence for people; nothing matches then. */
  problem: string | null;
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}

/** What a table of ops can be sorted by; equal ones follow one another in order of start. */
export type OpSort = 'start_ns' | 'length_ns' | 'name' | 'op_type' | 'category' | 'device';

/** Some of the ops of a range. */
export interface OpsQuery {
  range: RangeQuery;
  /** Only those that the last search found. */
  matching: boolean;
  sort: OpSort;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface OpPage {
  total: number;
  rows: OpRow[];
}

/** The ops that overlap a window: that start before it ends and end after it starts, or have no length and lie within. */
export interface RangeQuery {
  start_ns: Ns;
  end_ns: Ns;
  /** null: all */
  device: DeviceId | null;
  /** null: all */
  lanes: Uint32Array | null;
}

/** The figures of a range. */
export interface RangeSummary {
  /** Per device (by DeviceId). Only ops of the chosen device or lanes count. */
  splits: Split[];
  /** The mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** At every moment what any device does. */
  any_device: Split;
  ops: number;
  /** Transfers into the chosen device or lanes whose receipt lies in the window. */
  transfers: number;
  transferred_bytes: number;
  /** The transfers by source and destination, the most bytes first. */
  links: { source: string; destination: string; count: number; bytes: number }[];
}

/** One op used what another made; a transfer is an op on the way from producer to consumers. */
export interface FlowEdge {
  from: OpRef;
  to: OpRef;
  /** -1 from a direct producer, -2 from a producer of these, ...; 1 to a direct consumer, 2 to a consumer of these, ... */
  hop: number;
  /** Whether one of the two is a transfer. */
  transfer: boolean;
}

export interface Flow {
  /** Every edge once, the nearest first. */
  edges: FlowEdge[];
  /** Whether there are more than the 2,000 that are told. */
  truncated: boolean;
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

/**
 * The ops of one type that overlap a range. Without a choice of device or lanes, what repeats the numbered streams of a GPU
 * (`stream:all`, `memcpy`) is left out.
 */
export interface OpTypeRow {
  op_type: string;
  category: Category;
  count: number;
  /** Their time within the window. */
  total_ns: Ns;
  /** The same without what ops nested in them cover: what is summed. */
  self_ns: Ns;
  /** Mean, percentiles (nearest rank) and maximum are of their whole lengths. */
  mean_ns: Ns;
  p50_ns: Ns;
  p99_ns: Ns;
  max_ns: Ns;
  /** Its part of the sum of all `self_ns`, in parts per million. */
  share_ppm: number;
  /** The longest op of this type: where a click leads. */
  longest: OpId;
}

export type TransferSort = 'bytes' | 'wire_ns' | 'queued_ns' | 'unused_ns' | 'delayed_ns' | 'sent_ns' | 'received_ns' | 'tensor' | 'source' | 'destination' | 'variable';

export interface TransfersQuery {
  sort: TransferSort;
  descending: boolean;
  /** A part of the tensor, source or destination; with `->` in it, of the source and of the destination; empty for all. */
  filter: string;
  /** Only those whose receipt lies in it; null for all. */
  range: RangeQuery | null;
  offset: number;
  limit: number;
}

export interface TransfersPage {
  total: number;
  rows: Transfer[];
}

/** The whole step in `bins` equal slices: for each, the shares of every part of a split but idle. */
export interface Minimap {
  bins: number;
  shares: Float32Array;
}

export interface Progress {
  bytes: number;
  /** Sum of the files' sizes. */
  total_bytes: number;
  ops: number;
  phase: 'reading' | 'arranging';
}

/** What went wrong, across the wasm edge. `code` is stable; `message` is one sentence for people. */
export interface EngineErrorBody {
  code: string;
  message: string;
}

export interface Source {
  name: string;
  blob: Blob;
  /** What the user calls the process that it is of: `trainer0`. Devices that name no task of a cluster are then that process's. */
  process?: string;
}

export interface OpenOptions {
  /** Regular expressions over op types and names that count as communication too. */
  communication: string[];
  /** A regular expression over the names of devices: only those it matches are opened. Without it all are. */
  devices?: string | null;
  /** Only ops that overlap [start, end) are opened, in ns from 1970; texts because such times do not fit a double. */
  window_unix_ns?: [start: string, end: string] | null;
  /** How much memory the ops may take. Without it, what the core allows itself in a page. */
  memory_bytes?: number | null;
}

/** What the files hold, those ops among it that were left out. */
export interface Found {
  /** The first start of any op, in ns from 1970. */
  origin_unix_ns: string;
  /** From there to the last end; of devices that were not selected, times are not read. */
  span_ns: Ns;
  devices: FoundDevice[];
}

export interface FoundDevice {
  name: string;
  ops: number;
  /** How many of them are in the trace. */
  shown: number;
}

/** What a summary leaves out at first, because the data flow has to be followed for it. */
export interface Totals {
  transfers: number;
  transferred_bytes: number;
  /** Whether marks have other names now than before. */
  retitled: boolean;
  /** By DeviceId. */
  devices: { transfers: number; received_bytes: number; sent_bytes: number }[];
}

/** What the worker asks its core, without waiting, to make the first picture. */
export interface Core {
  look(view: View): Summary;
  steps(rule: StepRule): StepList;
  arrange(by: Arrangement): LaneGroup[][];
  marks(query: MarksQuery): Marks;
  minimap(bins: number): Minimap;
}

/** Everything the page may ask. Each answer is a promise; a worker stands behind it. */
export interface Engine {
  /**
   * Opens `sources` as one trace. The trace that was open stays until this one is whole; a failure leaves it untouched. `wish`
   * says what the first picture is to show, in the terms of the function that the worker was started with; its answer comes back.
   */
  open<Wish, Picture>(sources: Source[], options: OpenOptions, wish: Wish, progress: (p: Progress) => void): Promise<Picture>;
  /** The totals of what is looked at, once they are known: the core follows the data flow piece by piece, and answers in between. */
  totals(): Promise<Totals>;
  /** What the files of the open trace hold. */
  found(): Promise<Found>;
  /** Reads `sources` without opening them, only to count what they hold. */
  count(sources: Source[], progress: (p: Progress) => void): Promise<Found>;
  /** The steps and runs to choose from, repaired as what is looked at is. */
  steps(rule: StepRule): Promise<StepList>;
  /** Looks at something else of what is open. All ids are others from then on, lanes are packed, and nothing is searched. */
  look(view: View): Promise<Summary>;
  /** What is wrong with all that was opened, with the ops as they are called in what is looked at. */
  doctor(): Promise<Doctor>;
  /** Stops the opening or counting in progress; its promise rejects with the code `cancelled`. */
  cancel(): void;
  marks(query: MarksQuery): Promise<Marks>;
  /** The groups of every device, by DeviceId. Lanes have other ids from then on. */
  arrange(by: Arrangement): Promise<LaneGroup[][]>;
  /** Whether anything was recorded of which thread ran which op: without, lanes arranged by thread say nothing. */
  hasThreads(): Promise<boolean>;
  op(op: OpId): Promise<OpDetails>;
  /** What an op's data was made from and what was made of it, up to `hops` edges away, both ways. */
  flow(op: OpId, hops: number): Promise<Flow>;
  /** The op under a point, for a click: the last op of the lane that starts at or before `at_ns` and covers it within `slack_ns`. */
  opAt(lane: LaneId, at_ns: Ns, slack_ns: Ns): Promise<OpId | null>;
  /** The next (+1) or previous (-1) op in the lane of `op`. */
  neighbour(op: OpId, step: 1 | -1): Promise<OpId | null>;
  range(query: RangeQuery): Promise<RangeSummary>;
  minimap(bins: number): Promise<Minimap>;
  /** Marks everything that matches from now on (bit 5 of a mark's style); the empty text clears. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Rows of many ops at once, in the order of `ops`. */
  ops(ops: Uint32Array): Promise<OpRow[]>;
  /** The ops of a range, some rows at a time. Their order is kept until another one is asked for: four bytes an op. */
  opsIn(query: OpsQuery): Promise<OpPage>;
  opTypes(query: RangeQuery): Promise<OpTypeRow[]>;
  concurrency(query: RangeQuery, bins: number): Promise<Concurrency>;
  transfers(query: TransfersQuery): Promise<TransfersPage>;
  /** How far the clocks of tasks are apart, by everything that was opened. */
  clocks(): Promise<Clocks>;
  /** What would be received before it was made if clocks were set by these words of `View.clocks`. */
  violations(clocks: readonly string[]): Promise<PairOfTasks[]>;
  /** What is spent on communication, and what to blame: linear in ops and transfers. */
  network(): Promise<Network>;
  traffic(query: TrafficQuery): Promise<Traffic>;
  trafficLinks(start_ns: Ns, end_ns: Ns, route: Route): Promise<TrafficLinks>;
  /** The open trace as a Steplens session: a file that opens as the same trace, a quarter of the packed RunMetadata. */
  sessionBytes(): Promise<Uint8Array<ArrayBuffer>>;
}
