// The shapes of `steplens.clocks/1`, as the program prints it.
import type { Ns } from '../../base/time';

export interface Clocks {
  schema: 'steplens.clocks/1';
  /** What was found, for people; without a capital and a full stop. */
  sentence: string;
  /** Whose clock the others are compared with. */
  reference: string | null;
  /** How many tensors of known producers went between tasks. */
  transfers: number;
  tasks: TaskClock[];
  /** How many of them were received before they were made, as recorded and with the estimate subtracted. */
  violations_before: number;
  violations_after: number;
  /** How many more have times that contradict the others’ however the clocks are set. */
  contradicting: number;
  /** What kept the least correction from being found; null where it was found. */
  search_limit: 'not-proven-least' | 'too-many-bounds' | null;
  pairs: PairOfTasks[];
}

export interface TaskClock {
  task: string;
  /** What to subtract from its timestamps: its part of the least correction that the tensors demand. */
  offset_ns: Ns;
  /** By how much it is ahead of the reference, at least and at most; null where nothing bounds it on that side. */
  low_ns: Ns | null;
  high_ns: Ns | null;
  transfers: number;
  unknown_because: 'one-way' | 'unconnected' | null;
  drift_ppm: { low: number; best: number; high: number; applied: boolean } | null;
  drift_unknown_because: 'not-connected' | 'too-short' | 'not-a-line' | null;
}

/** What one task sent to another, and how much of it was received before it was made. */
export interface PairOfTasks {
  source: string;
  destination: string;
  transfers: number;
  violations_before: number;
  violations_after: number;
}
