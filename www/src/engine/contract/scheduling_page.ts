// Answers of the core: SchedulingPage, PartsRow, PartSumRow, AtWorkRow, AtOnceRow, TinyRow, StreamRow, GpuIdleRow and LateRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** Scheduling, summed. What was not recorded is null. */
export interface SchedulingPage {
  /** What was found, as a sentence. */
  sentence: string;
  /** The number of threads that the user gave. */
  threads: number | null;
  /** Ops shorter than this count as tiny. */
  tiny_limit_ns: Ns;
  /** The parts that are not known for any op, because the format does not record them. */
  not_recorded: string[];
  /** The parts, summed for each device that an executor or a stream ran. */
  by_device: PartsRow[];
  /** The parts, summed for each op type, the longest queue first. */
  by_op_type: PartsRow[];
  /** The number of ops that received tensors or are collectives: they are not counted in the sums. */
  network_ops: number;
  /** The number of ops that threads of programs called: nothing scheduled them. */
  program_ops: number;
  /** How many ops were at work at once: of devices that share threads together, and of each device. */
  at_work: AtWorkRow[];
  /** For each device the ops that are shorter than the limit. */
  tiny: TinyRow[];
  /** For each stream of a GPU its kernels and gaps. */
  streams: StreamRow[];
  /** For each GPU why it was idle. */
  gpus: GpuIdleRow[];
  /** The ops that queued longest, the longest first; at most 100. */
  latest: LateRow[];
  /** The number of ops that queued at all. */
  queued_ops: number;
}

/** The parts of the ops of one device or one op type. */
export interface PartsRow {
  /** The name of the device, or the op type. */
  key: string;
  /** `executor` or `stream`. */
  run_by: string;
  /** The number of ops. */
  ops: number;
  /** How many of them were scheduled before their last input ended, according to the records: their wait is not known. */
  contradicted: number;
  /** Wait, queue, set-up, kernel and tear-down, in this order. */
  parts: PartSumRow[];
}

/** One part of these ops. */
export interface PartSumRow {
  /** Its word. */
  part: string;
  /** The number of ops for which it is known. */
  known: number;
  /** The sum over these ops; null if it is not known for any. */
  sum_ns: Ns | null;
  /** The median. */
  p50_ns: Ns | null;
  /** The value that 99 of 100 ops do not exceed. */
  p99_ns: Ns | null;
  /** The largest value. */
  most_ns: Ns | null;
  /** The op with the largest value. */
  most_op: number | null;
  /** The name of that op. */
  most_name: string | null;
}

/** How many ops of some devices were at work at once. */
export interface AtWorkRow {
  /** The devices; more than one if they are taken to share threads. */
  devices: string[];
  /** The number of their ops. */
  ops: number;
  /** How many of them have a recorded time of scheduling. */
  scheduled: number;
  /** The most ops at work at once. There were at least this many threads. */
  most: number;
  /** The time in which at least one op was at work. */
  busy_ns: Ns;
  /** The running times of all ops, summed. */
  work_ns: Ns;
  /** The time in which at least one op was scheduled and had not started; null if scheduling was not recorded. */
  queued_ns: Ns | null;
  /** How much of that time the most ops were at work. */
  queued_at_most_ns: Ns | null;
  /**
   * Starved: how much of that time as many ops were at work as the user says there are threads. A lack of threads explains it.
   * Null if the user gave no number.
   */
  starved_ns: Ns | null;
  /** The most ops that were scheduled and had not started at the same moment. */
  most_queued: number | null;
  /** The time for each number of ops at work that occurred. */
  at_once: AtOnceRow[];
  /** The average number of ops at work in each slice of what is shown. All slices have the same length. */
  average: number[];
  /** The most ops at work in each slice. */
  most_of_slice: number[];
  /** The average number of queued ops in each slice. */
  queued_average: number[];
}

/** The time in which exactly this number of ops was at work. */
export interface AtOnceRow {
  /** The number of ops at work. */
  ops: number;
  /** The time. */
  length_ns: Ns;
  /** How much of it at least one other op was scheduled and had not started. */
  queued_ns: Ns;
}

/** The tiny ops of a device. */
export interface TinyRow {
  /** The name of the device. */
  device: string;
  /** `executor` or `stream`. */
  run_by: string;
  /** The number of ops that took any time. */
  ops: number;
  /** The length of these ops, summed. */
  length_ns: Ns;
  /** How many of them are tiny. */
  tiny: number;
  /** The length of the tiny ops, summed. */
  tiny_length_ns: Ns;
  /** How many of the tiny ops followed another op on their thread or stream within 0.1 ms. */
  in_a_row: number;
  /** The pauses before these ops, summed. */
  between_ns: Ns;
  /** The cost of tiny ops: their length, and the pauses. */
  cost_ns: Ns;
}

/** A stream of a GPU. */
export interface StreamRow {
  /** Its device. */
  device: string;
  /** The number of the stream, if all streams of the GPU are one device. */
  stream: number;
  /** The number of kernels and copies that it ran. */
  kernels: number;
  /** The time in which it ran any. */
  busy_ns: Ns;
  /** How many of them have a recorded launch. */
  launched: number;
  /** The times from launch to start, summed; null if no launch was recorded. */
  queue_ns: Ns | null;
  /** The median of these times. */
  queue_p50_ns: Ns | null;
  /** The time that 99 of 100 kernels do not exceed. */
  queue_p99_ns: Ns | null;
  /** The most kernels that were launched and had not started at the same moment. */
  most_queued: number | null;
  /** The number of gaps between its kernels. */
  gaps: number;
  /** The length of all gaps together. */
  gap_ns: Ns;
  /** How much of the gaps passed before the next kernel was launched. */
  host_ns: Ns | null;
  /** How much of that time the thread that launched the next kernel ran no recorded op. */
  host_between_ops_ns: Ns | null;
  /** The number of kernels that waited for the host alone. */
  waited_for_host: number | null;
  /**
   * How much of the gaps the next kernel waited for another stream: a kernel there ended when the next kernel started, or a call
   * made the stream wait for an event. This cause is inferred.
   */
  other_stream_ns: Ns | null;
  /** How much of that time the kernel of the other stream was a collective, which waits for other ranks. */
  other_rank_ns: Ns | null;
  /** How much of the gaps the next kernel was launched, and starting. */
  starting_ns: Ns | null;
  /** How much of the gaps is not explained by anything recorded. */
  unexplained_ns: Ns;
  /** The length of the longest gap. */
  longest_gap_ns: Ns | null;
  /** The kernel after the longest gap. */
  longest_gap_before: number | null;
  /** The name of that kernel. */
  longest_gap_name: string | null;
}

/** Why a GPU was idle. The seven parts add up to the idle time. */
export interface GpuIdleRow {
  /** The first of its devices. */
  device: string;
  /** The time in which any of its kernels or copies ran, except collectives. */
  busy_ns: Ns;
  /** The rest of the time that is shown. */
  idle_ns: Ns;
  /** The next kernel was not launched, and the thread that launched it ran no recorded op. */
  host_between_ops_ns: Ns;
  /** The next kernel was not launched, and the thread that launched it ran an op or a call, or is not known. */
  host_launching_ns: Ns;
  /** The next kernel was launched and starting. */
  starting_ns: Ns;
  /** The next kernel was launched and waited for another stream of the GPU, or for an event. This cause is inferred. */
  other_stream_ns: Ns;
  /** The next kernel was launched and waited for a collective, so for other ranks. This cause is inferred. */
  other_rank_ns: Ns;
  /** No later kernel was recorded. */
  nothing_queued_ns: Ns;
  /** Nothing that was recorded explains it; all of an idle time before a kernel whose launch was not recorded. */
  unexplained_ns: Ns;
  /** How much of the idle time a collective ran. */
  in_collective_ns: Ns;
}

/** An op that queued. */
export interface LateRow {
  /** The op. */
  op: OpRef;
  /** From ready to scheduled. */
  wait_ns: Ns | null;
  /** From scheduled to start. */
  queue_ns: Ns;
}
