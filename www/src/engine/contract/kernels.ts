// Answers of the core: Kernels, KernelRow, LaunchFigures, KernelLaunch and KernelLauncher.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category } from './words';
import type { WorkFigures } from './work';

/** The kernels. */
export interface Kernels {
  schema: string;
  /** How many there are, and which took most, as a sentence. */
  sentence: string;
  /** The number of kernels. */
  count: number;
  /** The sum of their time within the window. Kernels that run at the same time count each. */
  total_ns: Ns;
  /** The part of that time, in millionths, of kernels whose occupancy was recorded. */
  occupancy_known_ppm: number;
  /** By name, the one with most time first. */
  kernels: KernelRow[];
}

/** The kernels of one name. */
export interface KernelRow extends WorkFigures, LaunchFigures {
  /**
   * The name in the file, of an instruction of XLA without its number; for a stream of TensorFlow's RunMetadata, which has no names of kernels,
   * the op type.
   */
  name: string;
  /** The same without namespaces, numbers and arguments. */
  short_name: string;
  /** `compute` or `communication`. */
  category: Category;
  /** The number of kernels. */
  count: number;
  /** The sum of their time within the window. */
  total_ns: Ns;
  /** Its share of the time of all kernels, in millionths. */
  share_ppm: number;
  /** The mean of their whole durations. */
  mean_ns: Ns;
  /** The shortest of them. */
  min_ns: Ns;
  /** The longest of them. */
  max_ns: Ns;
  /**
   * The mean occupancy in percent, weighted by time: in PyTorch's traces an estimate of what was achieved, in others what is
   * possible. Null if none was recorded.
   */
  occupancy_percent: number | null;
  /** The ways of launching, the one with most time first: the first of `launch_count`. */
  launches: KernelLaunch[];
  /** The number of ways of launching. */
  launch_count: number;
  /**
   * The op types that launched them, the one with most time first: the first of `launcher_count`. Empty if launches were not
   * recorded.
   */
  launched_by: KernelLauncher[];
  /** The number of op types that launched them. */
  launcher_count: number;
  /** The op row of the longest of them. */
  longest: number;
}

/** How kernels were launched. What was not recorded is null. */
export interface LaunchFigures {
  /** Blocks in each of three dimensions. */
  grid: number[] | null;
  /** Threads of a block in each of three dimensions. */
  block: number[] | null;
  /** Registers of each thread. */
  registers: number | null;
  /** Shared memory of each block. */
  shared_bytes: number | null;
}

/** One way of launching. */
export interface KernelLaunch extends LaunchFigures {
  /** Occupancy in percent. */
  occupancy_percent: number | null;
  /** The number of kernels. */
  count: number;
  /** The sum of their time within the window. */
  total_ns: Ns;
}

/** Ops of one type that launched kernels. */
export interface KernelLauncher {
  /** The op type: of the innermost operator around the launch, or of the call itself. */
  op_type: string;
  /** The number of kernels. */
  count: number;
  /** The sum of the kernels' time within the window. */
  total_ns: Ns;
}
