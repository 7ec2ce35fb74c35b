// Answers of the core: SchedulingPage, PartsRow, PartSumRow, AtWorkRow, AtOnceRow, TinyRow, StreamRow and LateRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** Scheduling, summed. What was not recorded is null. */
export interface SchedulingPage {
  /** What was found, for people. */
  sentence: string;
  /** How many threads the user says there are. */
  threads: number | null;
  /** Ops shorter than this count as tiny. */
  tiny_limit_ns: Ns;
  /** Words of the parts that are known of no op: the format does not record them. */
  not_recorded: string[];
  /** By device that an executor or a stream ran. */
  by_device: PartsRow[];
  /** By op type, the longest queue first. */
  by_op_type: PartsRow[];
  /** Ops that brought tensors, or are collectives: nothing here counts them. */
  network_ops: number;
  /** Ops that threads of programs called: nothing scheduled them. */
  program_ops: number;
  /** How many ops were at work at once: of devices that share threads together, and of each device. */
  at_work: AtWorkRow[];
  /** By device: ops shorter than the limit. */
  tiny: TinyRow[];
  /** By stream of a GPU. */
  streams: StreamRow[];
  /** The ops that queued longest, the longest first; at most 100. */
  latest: LateRow[];
  /** How many ops queued at all. */
  queued_ops: number;
}

/** The parts of the ops that have something in common. */
export interface PartsRow {
  /** What they have in common: the name of a device, or an op type. */
  key: string;
  /** `executor` or `stream`. */
  run_by: string;
  /** How many they are. */
  ops: number;
  /** How many of them were scheduled before their last input ended, as it was recorded: their wait is not known. */
  contradicted: number;
  /** Wait, queue, set-up, kernel and tear-down, in this order. */
  parts: PartSumRow[];
}

/** One part of these ops. */
export interface PartSumRow {
  /** Its word. */
  part: string;
  /** Of how many ops it is known. */
  known: number;
  /** Their sum; null where it is known of none. */
  sum_ns: Ns | null;
  /** What half of them do not exceed. */
  p50_ns: Ns | null;
  /** What 99 of 100 do not exceed. */
  p99_ns: Ns | null;
  /** The most. */
  most_ns: Ns | null;
  /** Of which op that is. */
  most_op: number | null;
  /** What it is called. */
  most_name: string | null;
}

/** How many ops of some devices were at work at once. */
export interface AtWorkRow {
  /** Whose; more than one where they are taken to share threads. */
  devices: string[];
  /** How many ops they ran. */
  ops: number;
  /** How many of them say when they were scheduled. */
  scheduled: number;
  /** The most ops at work at once: at least so many threads there were. */
  most: number;
  /** How long at least one was at work. */
  busy_ns: Ns;
  /** How long all of them worked together. */
  work_ns: Ns;
  /** How long at least one was scheduled and had not started; null where nothing says when ops were scheduled. */
  queued_ns: Ns | null;
  /** How much of that as many were at work as ever were. */
  queued_at_most_ns: Ns | null;
  /** How much of that as many were at work as the user says there are threads: for want of threads. Null if the user says nothing. */
  starved_ns: Ns | null;
  /** The most ops that were scheduled and had not started. */
  most_queued: number | null;
  /** For each number of ops at work that occurred. */
  at_once: AtOnceRow[];
  /** The same over time, by slice of what is shown: all of one length. How many ops were at work on average, */
  average: number[];
  /** at most, */
  most_of_slice: number[];
  /** and how many were queued on average. */
  queued_average: number[];
}

/** How long so many ops were at work. */
export interface AtOnceRow {
  /** How many. */
  ops: number;
  /** How long. */
  length_ns: Ns;
  /** How much of that at least one more was scheduled and had not started. */
  queued_ns: Ns;
}

/** The tiny ops of a device. */
export interface TinyRow {
  /** Its name. */
  device: string;
  /** `executor` or `stream`. */
  run_by: string;
  /** How many ops took any time. */
  ops: number;
  /** How long they were together. */
  length_ns: Ns;
  /** How many of them are tiny. */
  tiny: number;
  /** How long these were together. */
  tiny_length_ns: Ns;
  /** How many of these followed another op on their thread or stream within 0.1 ms. */
  in_a_row: number;
  /** The time between these and the ops before them. */
  between_ns: Ns;
  /** What tiny ops cost: their length, and the time between. */
  cost_ns: Ns;
}

/** A stream of a GPU. */
export interface StreamRow {
  /** Its device. */
  device: string;
  /** Its number, where all streams of the GPU are one device. */
  stream: number;
  /** How many kernels and copies it ran. */
  kernels: number;
  /** How long it ran any. */
  busy_ns: Ns;
  /** How many of them say when they were launched. */
  launched: number;
  /** From launch to start: the sum, what half of them and what 99 of 100 do not exceed; null where no launch was recorded. */
  queue_ns: Ns | null;
  /** What half of them do not exceed. */
  queue_p50_ns: Ns | null;
  /** What 99 of 100 do not exceed. */
  queue_p99_ns: Ns | null;
  /** The most kernels that were launched and had not started. */
  most_queued: number | null;
  /** Gaps between its kernels: how many, and how long together. */
  gaps: number;
  /** How long together. */
  gap_ns: Ns;
  /** How much of them the next kernel was not launched yet. */
  host_ns: Ns | null;
  /** How many kernels waited for the host alone. */
  waited_for_host: number | null;
  /** How much of them a kernel of another stream ran, at whose end the next one began: inferred. */
  other_stream_ns: Ns | null;
  /** How much of them the next kernel was launched, and starting. */
  starting_ns: Ns | null;
  /** How much of them nothing that was recorded explains. */
  unexplained_ns: Ns;
  /** The longest gap. */
  longest_gap_ns: Ns | null;
  /** The kernel after it. */
  longest_gap_before: number | null;
  /** What it is called. */
  longest_gap_name: string | null;
}

/** An op that queued. */
export interface LateRow {
  /** Which. */
  op: OpRef;
  /** From ready to scheduled. */
  wait_ns: Ns | null;
  /** From scheduled to start. */
  queue_ns: Ns;
}
