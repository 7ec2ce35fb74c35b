// Answers of the core: Summary, HostProfileJson, TransferTotals, DeviceTotals, SummaryView, FileSummary, Problem, Split, Accelerator and DeviceSummary.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clocks_note';
import type { DoctorFinding } from './doctor';
import type { VerdictFigures } from './verdict';
import type { Apart, DeviceKind, OpTime, Repair, StepRule } from './words';

/** The object that `steplens summary --json` prints and `window.steplens.summary()` returns. */
export interface Summary extends Partial<TransferTotals> {
  /** `steplens.summary/1`. */
  schema: string;
  /** The files that were opened. */
  files: FileSummary[];
  /** The part of the files that it is about. */
  view: SummaryView;
  /** The trace's origin in ns from 1970, as decimal text, because it does not fit in a double. */
  origin_unix_ns: string;
  /** From the first start to the last end over all devices, without ranges. */
  span_ns: Ns;
  /** The number of ops, without the records of a host profiler. */
  ops: number;
  /** The records of TensorFlow's host profiler next to the executor, which are not counted anywhere else. */
  host_profile?: HostProfileJson;
  /** Why times of its tasks cannot be compared; left out if they can, and by `without_transfers`. */
  clocks?: ClockNote;
  /**
   * What the doctor finds wrong with what is shown, the most important first: these figures rest on it. Left out by
   * `without_transfers`.
   */
  doctor?: DoctorFinding[];
  /** What the step mostly is, and sentences about it; left out by `of` and `without_transfers`. */
  verdict?: string;
  /** Its first sentence, which says what the step mostly is. */
  verdict_main?: string;
  /** The figures of that sentence; left out if nothing took any time. */
  verdict_figures?: VerdictFigures;
  /** The step bar: the mean of the accelerators, or of all devices without accelerators. */
  step: Split;
  /** All devices together: compute means that any device computes. Left out by `without_transfers`. */
  any_device?: Split;
  /** How many devices did any work, each accelerator once: rows of ranges or of Python frames did none. */
  working_devices: number;
  /** Every GPU, TPU or the like, each once. */
  accelerators: Accelerator[];
  /** The devices in natural order of task and name. */
  devices: DeviceSummary[];
}

/** The events of TensorFlow's host profiler (`/host:CPU` of releases 1.14 to 2.2), by kind. */
export interface HostProfileJson {
  /** What they are, as a sentence. */
  sentence: string;
  /** The number of all events. */
  events: number;
  /** The number of events that repeat an op of the executor: the thread of these ops is known. */
  joined: number;
  /** The number of events of the step with names like ops that match no op of the executor. */
  unjoined: number;
  /** The number of `_Send` and `_Recv` nodes, which the executor does not record. */
  transfer_nodes: number;
  /** The number of ranges around other events. */
  ranges: number;
  /** The number of events of other runs of sessions. */
  other_runs: number;
  /** The number of threads that ran the joined ops. */
  threads: number;
}

/** All transfers together. */
export interface TransferTotals {
  /** The number of transfers. */
  transfers: number;
  /** Their bytes. */
  transferred_bytes: number;
}

/** The transfers of one device. */
export interface DeviceTotals {
  /** The number of tensors that it received. */
  transfers: number;
  /** The bytes that it received. */
  received_bytes: number;
  /** The bytes that others received from it. */
  sent_bytes: number;
}

/** The part of the files that is shown. */
export interface SummaryView {
  /** The rule for steps: `content`, `file`, `part` or `together`. */
  rule: StepRule;
  /** The number of the step that is shown, as in `steplens steps`: from 1; null for all of them. */
  step: number | null;
  /** The number of steps. */
  steps: number;
  /** Whether the files have something from before the first step that they number, which is none. */
  has_before?: boolean;
  /** Whether nothing in the files says that what is shown is one step: then it is a recording with an unknown number of steps. */
  is_recording?: boolean;
  /** Why the page shows one of them first: `listed` or `far`. */
  apart?: Apart;
  /** The repairs of the view. */
  repairs: Repair[];
  /** What counts as the duration of an op, if not as recorded: `gpu` or `all`, in the words of `timeline.py`. */
  op_time?: OpTime;
  /** How the clocks of tasks are aligned, if not as recorded: `estimated`, and `TASK=NS` for offsets chosen by hand. */
  clocks?: string[];
}

/** One file. */
export interface FileSummary {
  /** Its name as the user knows it. */
  name: string;
  /** Its format. */
  format: string;
  /** Its size, packed. */
  bytes: number;
  /** The number of ops read from it. */
  ops: number;
  /** Whether it has ops that could not be read: then the figures are not of everything that was recorded. */
  incomplete?: boolean;
  /** The problems found in it. */
  problems: Problem[];
  /** What is worth knowing about it though nothing is wrong, one sentence each. */
  notes?: string[];
}

/** One kind of problem. */
export interface Problem {
  /** Stable; documented in `docs/problems.md`. */
  code: string;
  /** How many times it was found. */
  count: number;
  /** One sentence about the first of them. */
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
  /** The common name of its devices. */
  name: string;
  /** The devices that recorded its work, as rows of `devices`. */
  devices: number[];
  /** The number of its events, each counted once. */
  ops: number;
  /** The number of streams it worked on; 0 if it is not known. */
  streams: number;
  /** The devices with the ops that TensorFlow's executor dispatched to it, as rows of `devices`. */
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
  /** Whether it did no work: it has ranges alone, such as PyTorch's spans or frames of Python, or is of a host profiler. */
  without_work?: boolean;
  /** Whether its ops are what an executor dispatched to a GPU of which no kernel was recorded: how long the GPU took is not known. */
  without_kernels?: boolean;
  /** The number of its ops. */
  ops: number;
  /** The number of its lanes. */
  lanes: number;
  /** The number of its lanes, from the top, for ops; the others are for communication. */
  op_lanes: number;
  /** Whether its lanes are grouped by thread or stream even if they are packed. */
  by_thread: boolean;
  /** Whether a repair changed its figures, and so those of the step. */
  repaired: boolean;
}
