// Answers of the core: MemoryAccount, MemoryReading, MemoryFaults and MemoryReport.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId } from '../ids';
import type { MemoryBasis, MemoryReadingWord } from './words';

/** What one allocator held of one device, or of all. */
export interface MemoryAccount {
  /** The row of the device; null where the reading does not keep devices apart. */
  device: DeviceId | null;
  /** Its name. */
  device_name: string | null;
  /** The allocator's name; empty where the file names none. */
  allocator: string;
  /** What is known: `lives` of single allocations, or only `sums` of bytes, because the file says no addresses. */
  basis: MemoryBasis;
  /** The most that was alive at once. */
  peak_bytes: number;
  /** Since when it was; null if it was there before the first op. */
  peak_ns: Ns | null;
  /** What was there before, of what the reading counts. */
  before_bytes: number;
  /** What the allocator had in use at the peak beyond what the reading counts, if that was recorded. */
  beyond_bytes: number | null;
  /** How many tensors, or other allocations, it held in all; 0 where only sums are known. */
  lives: number;
  /** What is alive after the last op. */
  end_bytes: number;
}

/** One way to know what was alive. */
export interface MemoryReading {
  /** Its word. */
  reading: MemoryReadingWord;
  /** What it rests on, in a sentence. */
  rests_on: string;
  /** What is not known of accounts whose basis is `sums`, in a sentence; null where there are none. */
  lacks: string | null;
  /** How many tensors its rules do not count. */
  lost: number;
  /** Their bytes. */
  lost_bytes: number;
  /** What could not be counted as it stands in the file. */
  faults: MemoryFaults;
  /** In order of device and allocator. */
  accounts: MemoryAccount[];
}

/** What could not be counted as it stands in the file. */
export interface MemoryFaults {
  /** Frees without an allocation before: what they gave back counts as there from before. */
  frees_alone: number;
  /** Sizes and sums too large to be kept: the curve stops at the largest number. */
  too_large: number;
  /** Ops whose inputs were not followed, because the file has too many. */
  ops_without: number;
}

/** All that is known of the memory of what is shown. */
export interface MemoryReport {
  /** Those that have anything, the best first. */
  readings: MemoryReading[];
  /** Where there is nothing, or no allocation was recorded: which option records it. */
  recorded_by: string | null;
}
