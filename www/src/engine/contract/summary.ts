// Answers of the core: Summary, HostProfileJson, TransferTotals, DeviceTotals, SummaryView, FileSummary, Problem, Split, Accelerator and DeviceSummary.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';
import type { Apart, DeviceKind, OpTime, Repair, StepRule } from './words';

/** The object that `steplens summary --json` prints and `window.steplens.summary()` returns. */
export interface Summary extends Partial<TransferTotals> {
  /** `steplens.summary/1`. */
  schema: string;
  /** The files that were opened. */
  files: FileSummary[];
  /** What of the files it is about. */
  view: SummaryView;
  /** The trace's origin in ns from 1970, as decimal text: it does not fit a double. */
  origin_unix_ns: string;
  /** From the first start to the last end over all devices, ranges left out. */
  span_ns: Ns;
  /** How many ops there are, without what a host profiler recorded once more. */
  ops: number;
  /** What TensorFlow's host profiler recorded next to the executor, which counts nowhere else. */
  host_profile?: HostProfileJson;
  /** Why times of its tasks cannot be compared; left out where they can, and by `without_transfers`. */
  clocks?: ClockNote;
  /** The step bar: the mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** All devices together: at every moment it computes if any device computes. Left out by `without_transfers`. */
  any_device?: Split;
  /** Every GPU, TPU or the like once. */
  accelerators: Accelerator[];
  /** The devices in natural order of task and name. */
  devices: DeviceSummary[];
}

/** The events of TensorFlow's host profiler (`/host:CPU` of releases 1.14 to 2.2), by what they are. */
export interface HostProfileJson {
  /** What it is, in a sentence. */
  sentence: string;
  /** All of them. */
  events: number;
  /** Ops of the executor once more: of these the thread is known. */
  joined: number;
  /** Events of the step that are named like ops and are none of the executor's. */
  unjoined: number;
  /** `_Send` and `_Recv` nodes, which the executor does not record. */
  transfer_nodes: number;
  /** Ranges around others. */
  ranges: number;
  /** Events of other runs of sessions. */
  other_runs: number;
  /** How many threads ran the joined ops. */
  threads: number;
}

/** All transfers together. */
export interface TransferTotals {
  /** How many there are. */
  transfers: number;
  /** What they carried. */
  transferred_bytes: number;
}

/** The transfers of one device. */
export interface DeviceTotals {
  /** How many tensors it received. */
  transfers: number;
  /** What it received. */
  received_bytes: number;
  /** What others received from it. */
  sent_bytes: number;
}

/** What part of the files is shown. */
export interface SummaryView {
  /** What makes a step: `content`, `file`, `part` or `together`. */
  rule: StepRule;
  /** Which step is shown, as `steplens steps` counts them: from 1; null for all of them. */
  step: number | null;
  /** How many steps there are. */
  steps: number;
  /** Whether nothing in the files says that what is shown is one step: then it is a recording, of however many. */
  is_recording?: boolean;
  /** Why the page shows one of them first: `listed` or `far`. */
  apart?: Apart;
  /** What is repaired, and so other than it was recorded. */
  repairs: Repair[];
  /** How long ops last, if not as recorded: `gpu` or `all`, in the words of `timeline.py`. */
  op_time?: OpTime;
  /** What the clocks of tasks are set by, if that is not as recorded: `estimated`, and `TASK=NS` for those set by hand. */
  clocks?: string[];
}

/** One file. */
export interface FileSummary {
  /** Its name as the user knows it. */
  name: string;
  /** What it turned out to be. */
  format: string;
  /** Its size, packed. */
  bytes: number;
  /** How many ops it brought. */
  ops: number;
  /** Whether ops that it held could not be read: then the figures are not those of all that was recorded. */
  incomplete?: boolean;
  /** What was wrong with it. */
  problems: Problem[];
  /** What is to be known of it though nothing is wrong, in a sentence each. */
  notes?: string[];
}

/** One kind of problem. */
export interface Problem {
  /** Stable; documented in `docs/problems.md`. */
  code: string;
  /** How often it was met. */
  count: number;
  /** One sentence about the first. */
  detail: string;
}

/** A split in nanoseconds. */
export interface Split {
  window_ns: Ns;
  busy_ns: Ns;
  compute_ns: Ns;
  exposed_input_ns: Ns;
  exposed_copy_ns: Ns;
  exposed_communication_ns: Ns;
  exposed_launch_ns: Ns;
  exposed_allocation_ns: Ns;
  exposed_waiting_ns: Ns;
  idle_ns: Ns;
  communication_ns: Ns;
  overlapped_communication_ns: Ns;
}

/** One GPU, TPU or the like over the whole step. */
export interface Accelerator extends Split {
  /** What its devices have in common. */
  name: string;
  /** The devices that recorded its work, as rows of `devices`. */
  devices: number[];
  /** How many events it has, each once. */
  ops: number;
  /** How many streams it worked on; 0 where that is not known. */
  streams: number;
  /** The devices that recorded what TensorFlow's executor dispatched to it, as rows of `devices`. */
  dispatched_by?: number[];
}

/** One device over the whole step. */
export interface DeviceSummary extends Split, Partial<DeviceTotals> {
  /** Its full name. */
  name: string;
  /** The task it belongs to, if its name has one. */
  task: string | null;
  /** `cpu`, `gpu`, `tpu`, `stream`, `stream-all`, `memcpy`, `host-profiler` or `other`. */
  kind: DeviceKind;
  /** The row of `accelerators` whose work it recorded. */
  accelerator?: number;
  /** How many ops it ran. */
  ops: number;
  /** How many lanes they need. */
  lanes: number;
  /** How many of them, from the top, are for ops; the rest are for communication. */
  op_lanes: number;
  /** Whether its lanes are grouped by thread or stream even when they are packed. */
  by_thread: boolean;
  /** Whether a repair touched its figures, and with them those of the step. */
  repaired: boolean;
}
