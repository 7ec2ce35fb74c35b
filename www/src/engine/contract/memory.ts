// Answers of the core: MemoryAccount, MemoryReading, MemoryFaults and MemoryReport.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';
import type { MemoryBasis, MemoryReadingWord } from './words';

/** The memory that one allocator held, of one device or of all. */
export interface MemoryAccount {
  /** The row of the device; null if the reading does not keep devices apart. */
  device: DeviceId | null;
  /** Its name. */
  device_name: string | null;
  /** The allocator's name; empty if the file has none. */
  allocator: string;
  /** What is known: the `lives` of single allocations, or only `sums` of bytes, because the file has no addresses. */
  basis: MemoryBasis;
  /** The most bytes alive at once. */
  peak_bytes: number;
  /** Since when they were alive; null if before the first op. */
  peak_ns: Ns | null;
  /** The bytes that were alive before, as far as the reading counts them. */
  before_bytes: number;
  /** What the allocator had in use at the peak in addition to what the reading counts, if that was recorded. */
  beyond_bytes: number | null;
  /** The number of tensors, or other allocations, in all; 0 if only sums are known. */
  lives: number;
  /** The bytes alive after the last op. */
  end_bytes: number;
}

/** One way to find out what was alive. */
export interface MemoryReading {
  /** Its word. */
  reading: MemoryReadingWord;
  /** What it is based on, as a sentence. */
  rests_on: string;
  /** What is not known about accounts whose basis is `sums`, as a sentence; null without such accounts. */
  lacks: string | null;
  /** The number of tensors that its rules do not count. */
  lost: number;
  /** The bytes of these tensors. */
  lost_bytes: number;
  /** What could not be counted as it is in the file. */
  faults: MemoryFaults;
  /** In order of device and allocator. */
  accounts: MemoryAccount[];
}

/** What could not be counted as it is in the file. */
export interface MemoryFaults {
  /** Frees without an earlier allocation: the memory counts as allocated before the recording. */
  frees_alone: number;
  /** Sizes and sums that are too large to store: the curve stops at the largest number. */
  too_large: number;
  /** Ops whose inputs were not followed, because the file has too many. */
  ops_without: number;
}

/** Everything that is known about the memory of what is shown. */
export interface MemoryReport {
  /** The readings with any accounts, the best first. */
  readings: MemoryReading[];
  /** Which option records memory, if there are no readings or no allocations were recorded. */
  recorded_by: string | null;
}
