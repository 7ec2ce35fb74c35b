// Search, and tables whose rows are ops.
import type { SearchCounts } from '../contract/search';
import type { OpSort } from '../contract/words';
import type { RangeQuery } from './range';

/**
 * A part of a text or a regular expression, either without regard to case, to be found in the name, op type, device or
 * label of an op; `name:`, `type:`, `device:` or `label:` in front of the text keeps to that one.
 */
export interface SearchQuery {
  text: string;
  regex: boolean;
}

/** What a search found, and the ops that match. */
export interface SearchResult extends SearchCounts {
  /** Matching ops in order of start: all of them, or the first million. */
  ops: Uint32Array;
}

/** Some of the ops of a range. */
export interface OpsQuery {
  range: RangeQuery;
  /** Only those that the last search found. */
  matching: boolean;
  /** Equal ones follow one another in order of start. */
  sort: OpSort;
  descending: boolean;
  offset: number;
  limit: number;
}
