// Memory: what is asked of it, and the curves of accounts.
import type { Ns } from '../../base/time';
import type { MemoryBoxes } from '../contract/memory_boxes';
import type { AliveBy, MemoryReadingWord } from '../contract/words';

/** One row of `MemoryReading.accounts`. */
export interface MemoryPlace {
  reading: MemoryReadingWord;
  account: number;
}

/** What is alive in an account at a moment; null for its peak. */
export interface AliveQuery extends MemoryPlace {
  at_ns: Ns | null;
  by: AliveBy;
  /** How many rows are wanted at most. */
  most: number;
}

/** Why one of the lives of an account is alive at a moment. */
export interface WhyQuery extends MemoryPlace {
  life: number;
  at_ns: Ns | null;
}

/** The most bytes alive at once in [start, end), in columns of STRIP_COLUMN_PX, account after account. */
export interface MemoryLanesQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  reading: MemoryReadingWord;
  accounts: Uint32Array;
}

export interface MemoryLanes {
  query: MemoryLanesQuery;
  /** As many columns for each account. */
  columns: Float64Array;
}

/** The curve of one account, and the largest of its lives as boxes. */
export interface MemoryPicture extends MemoryLanes, MemoryBoxes {}
