// Search, and tables whose rows are ops.
import type { OpRef } from './ids';
import type { RangeQuery } from './range';
import type { Category } from './split';

/**
 * A part of a text or a regular expression, either without regard to case, to be found in the name, op type, device or
 * label of an op; `name:`, `type:`, `device:` or `label:` in front of the text keeps to that one.
 */
export interface SearchQuery {
  text: string;
  regex: boolean;
}

export interface SearchResult {
  /** The text and the kind of the query that this answers. */
  query: string;
  regex: boolean;
  count: number;
  /** Matches per device, by DeviceId. */
  per_device: number[];
  /** Matching ops in order of start: all of them, or the first million. */
  ops: Uint32Array;
  /** Why the text cannot be searched for, as a sentence for people; nothing matches then. */
  problem: string | null;
}

/** An op as a row of a table. */
export interface OpRow extends OpRef {
  op_type: string;
  category: Category;
}

/** What a table of ops can be sorted by; equal ones follow one another in order of start. */
export type OpSort = 'start_ns' | 'length_ns' | 'name' | 'op_type' | 'category' | 'device';

/** Some of the ops of a range. */
export interface OpsQuery {
  range: RangeQuery;
  /** Only those that the last search found. */
  matching: boolean;
  sort: OpSort;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface OpPage {
  total: number;
  rows: OpRow[];
}
