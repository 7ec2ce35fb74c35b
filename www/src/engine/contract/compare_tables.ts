// Answers of the core: OpTypeBoth, LinkBoth, DeviceBoth and MemoryBoth.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category } from './words';

/** The ops of one type. */
export interface OpTypeBoth {
  /** The op type. */
  op_type: string;
  /** Its category. */
  category: Category;
  /** `accelerator` or `host`. */
  place: string;
  /** How many ops of A. */
  count_a: number;
  /** How many ops of B. */
  count_b: number;
  /** Their self time in A: without the ops nested in them. */
  self_a_ns: Ns;
  /** Their self time in B. */
  self_b_ns: Ns;
  /** The median of their durations in A; null without any. */
  p50_a_ns: Ns | null;
  /** The median in B. */
  p50_b_ns: Ns | null;
  /** The self time in B minus that in A. */
  difference_ns: Ns;
  /** The self time in B divided by that in A; null where A has none. */
  ratio: number | null;
}

/** The transfers from one task to another. */
export interface LinkBoth {
  /** The task that sent, as A calls it. */
  source: string;
  /** The task that received. */
  destination: string;
  /** How many transfers of A. */
  count_a: number;
  /** How many transfers of B. */
  count_b: number;
  /** Their sizes in A together. */
  bytes_a: number;
  /** Their sizes in B together. */
  bytes_b: number;
  /** The time in A during which at least one was in transit. */
  busy_a_ns: Ns;
  /** The time in B. */
  busy_b_ns: Ns;
  /** The median of their times in transit in A; null where none was recorded. */
  p50_a_ns: Ns | null;
  /** The median in B. */
  p50_b_ns: Ns | null;
  /** The busy time in B minus that in A. */
  difference_ns: Ns;
  /** The busy time in B divided by that in A; null where A has none. */
  ratio: number | null;
}

/** A device. */
export interface DeviceBoth {
  /** The device in A; null if only B has it. */
  device_a: string | null;
  /** The device in B; null if only A has it. */
  device_b: string | null;
  /** How many ops it ran in A. */
  ops_a: number;
  /** How many ops it ran in B. */
  ops_b: number;
  /** The time in A when anything ran. */
  busy_a_ns: Ns;
  /** The time in B. */
  busy_b_ns: Ns;
  /** The time in A when a compute op ran. */
  compute_a_ns: Ns;
  /** The time in B. */
  compute_b_ns: Ns;
  /** The time in A when communication ran, and nothing of the categories before it. */
  exposed_communication_a_ns: Ns;
  /** The time in B. */
  exposed_communication_b_ns: Ns;
  /** The busy time in B minus that in A. */
  difference_ns: Ns;
  /** The busy time in B divided by that in A; null where A has none. */
  ratio: number | null;
}

/** The memory that an allocator held. */
export interface MemoryBoth {
  /** The device, as A calls it, or B where only B has it; null for an allocator of all devices. */
  device: string | null;
  /** The allocator. */
  allocator: string;
  /** The most bytes alive at once in A; null if only B has it. */
  peak_a_bytes: number | null;
  /** The most bytes alive at once in B; null if only A has it. */
  peak_b_bytes: number | null;
  /** The peak in B minus that in A; null where one has none. */
  difference_bytes: number | null;
  /** The peak in B divided by that in A; null where one has none. */
  ratio: number | null;
}
