// Answers of the core: OpDetails, OnThread, HostEventRow, Input, Output, AllocatorUse and AllocationRecord.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, LaneId, OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { ArgumentRow } from './ops_arguments';
import type { Transfer } from './tables_transfers';
import type { Category, Certainty, HostEventKind } from './words';
import type { WorkFigures } from './work';

export interface OpDetails extends WorkFigures {
  op: OpId;
  name: string;
  op_type: string;
  category: Category;
  /** The reason for its category: a field of the format, such as `cat=kernel`, or its op type. */
  reason: string;
  device: DeviceId;
  lane: LaneId;
  start_ns: Ns;
  end_ns: Ns;
  /** Its length without the ops nested in it; 0 for a range. */
  self_ns: Ns;
  scheduled_ns: Ns | null;
  queue_ns: Ns | null;
  op_start_ns: Ns;
  op_end_ns: Ns;
  thread: number;
  thread_name: string | null;
  /** Its record by TensorFlow's host profiler, if there is one. */
  host: OnThread | null;
  /** For an event of the host profiler: its kind, and the executor's op that it repeats. */
  host_event: HostEventRow | null;
  /** The bytes that a copy moved, or a call asked for, and those that its outputs asked for; null if nothing says them. */
  bytes: number | null;
  /** The bytes of the tensors that it was given; null if the file does not say those of each, or there is none. */
  input_bytes: number | null;
  /** Whether a profiler recorded that; otherwise it is by the shapes of its tensors. Null if it is not known. */
  work_recorded: boolean | null;
  label: string;
  /** Whether the label is in the file; otherwise it was made from other data of the format. */
  label_recorded: boolean;
  /** Whether more of its times was recorded than its start and its end. */
  has_stages: boolean;
  /** The arguments of its event: those with a known meaning first. */
  arguments: ArgumentRow[];
  /** The innermost event on its thread that contains it, if events nest. */
  inside_of: OpRef | null;
  /** Among the events on its thread inside the same event, the one that ended last before it started. */
  before: OpRef | null;
  /** The PyTorch modules in which it ran, the outermost first. */
  modules: string[];
  /** The first of the Python frames under which it ran, the innermost first; `frame_count` is the number of all. */
  frames: OpRef[];
  frame_count: number;
  inputs: Input[];
  /** The number of inputs; `inputs` has the first of them. */
  input_count: number;
  consumers: OpRef[];
  /** The number of consumers; `consumers` has the first of them. */
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
  /** For a kernel or copy, the op that launched it. */
  launched_by: OpRef | null;
  /** The call into the driver by which that op launched it, if that was recorded. */
  called_by: OpRef | null;
}

/** When the kernel of an op was on its thread, to the microsecond. */
export interface OnThread {
  start_ns: Ns;
  end_ns: Ns;
  /** The rest of the op's time: what the executor itself did before and after. Null for an asynchronous op, which ends elsewhere. */
  executor_ns: Ns | null;
  /** Whether the thread did not wait for the op's end, if that was recorded. */
  asynchronous: boolean | null;
}

/** The kind of an event of a host profiler. */
export interface HostEventRow {
  /** `joined`, `transfer-node`, `unjoined`, `range` or `other-run`. */
  kind: HostEventKind;
  op: OpRef | null;
}

export interface Input {
  /** The name in the label, without `^` and `:k`. */
  name: string;
  slot: number;
  control: boolean;
  /** The op (or the RecvTensor) that made this value, if one was recorded. */
  producer: OpRef | null;
  /** The transfer that brought it, if no op recorded the transfer. */
  silent_transfer: number | null;
  certainty: Certainty;
  /** The number of possible producers, if it is not decided which one it was. */
  candidates: number | null;
  /** Whether nothing came from there: another branch or another input did. */
  not_taken: boolean;
  /** The size of the tensor, if it was recorded: by its transfer, or as what its maker asked for. */
  bytes: number | null;
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
