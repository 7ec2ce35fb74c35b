// Answers of the core: OpDetails, OnThread, HostEventRow, Input, Output, AllocatorUse and AllocationRecord.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, LaneId, OpId } from '../ids';
import type { ArgumentRow } from './op_arguments';
import type { OpRef } from './op_ref';
import type { Transfer } from './transfers';
import type { Category, Certainty, HostEventKind } from './words';

export interface OpDetails {
  op: OpId;
  name: string;
  op_type: string;
  category: Category;
  /** What decided its category: a field of the format, such as `cat=kernel`, or its op type. */
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
  /** What TensorFlow's host profiler recorded of it, if it did. */
  host: OnThread | null;
  /** Of an event of the host profiler, what it is, and the executor's op that it is once more. */
  host_event: HostEventRow | null;
  label: string;
  /** Whether the label stands in the file; else it was made of what its format says. */
  label_recorded: boolean;
  /** Whether more was recorded of its times than its start and its end. */
  has_stages: boolean;
  /** What its event says in addition: what is known first. */
  arguments: ArgumentRow[];
  /** The innermost event on its thread that contains it, where events nest. */
  inside_of: OpRef | null;
  /** The one on its thread, and within the same one, that ended last before it started. */
  before: OpRef | null;
  /** Modules of PyTorch that it ran in, the outermost first. */
  modules: string[];
  /** Frames of Python that it ran under, the innermost first: the first of `frame_count`. */
  frames: OpRef[];
  frame_count: number;
  inputs: Input[];
  /** How many inputs there are; `inputs` holds the first of them. */
  input_count: number;
  consumers: OpRef[];
  /** How many consumers there are; `consumers` holds the first of them. */
  consumer_count: number;
  outputs: Output[];
  memory: AllocatorUse[];
  transfer: Transfer | null;
  /** The kernels and copies that it, or anything in it, launched on a GPU, in order of start: the first of `kernel_count`. */
  kernels: OpRef[];
  kernel_count: number;
  /** The sum of their times. */
  kernels_ns: Ns;
  /** From the start of the first of them to the end of the last. */
  kernels_start_ns: Ns | null;
  kernels_end_ns: Ns | null;
  /** Of a kernel or copy, the op that launched it. */
  launched_by: OpRef | null;
  /** The call into the driver by which that op launched it, where it was recorded. */
  called_by: OpRef | null;
}

/** When the kernel of an op was on its thread, to the microsecond. */
export interface OnThread {
  start_ns: Ns;
  end_ns: Ns;
  /** The rest of the op's time: what the executor itself did before and after. Null for an asynchronous op, which ends elsewhere. */
  executor_ns: Ns | null;
  /** Whether the thread did not wait for the op's end, where that was recorded. */
  asynchronous: boolean | null;
}

/** What an event of a host profiler is. */
export interface HostEventRow {
  /** `joined`, `transfer-node`, `unjoined`, `range` or `other-run`. */
  kind: HostEventKind;
  op: OpRef | null;
}

export interface Input {
  /** As the label has it, without `^` and `:k`. */
  name: string;
  slot: number;
  control: boolean;
  /** The op (or the RecvTensor) that made this value, when one was recorded. */
  producer: OpRef | null;
  /** The transfer that brought it, if no op recorded that. */
  silent_transfer: number | null;
  certainty: Certainty;
  /** How many ops the producer may have been, where that is not decided. */
  candidates: number | null;
  /** Nothing came from there: another branch or another input did. */
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
  records: AllocationRecord[];
}

export interface AllocationRecord {
  at_ns: Ns;
  bytes: number;
}
