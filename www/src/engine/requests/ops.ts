// Search, tables whose rows are ops, and flames.
import type { Ns } from '../../base/time';
import type { SearchCounts } from '../contract/search';
import type { FlameLayers, FlameMeasure, OpSort } from '../contract/words';
import type { Lighting } from './picture';
import type { RangeQuery } from './range';

/**
 * A part of a text or a regular expression, either without regard to case, to be found in the name, op type, device or
 * label of an op; `name:`, `type:`, `device:` or `label:` in front of the text keeps to that one. With `=` in the place of `:`, what follows is
 * the whole text.
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

/** Which ops are lit while the others stand back: those of an op type, or those of some colours. */
export type Light = ({ op_type: string } | { colors: readonly number[] }) & { lighting: Exclude<Lighting, 'off'> };

/** Some of the ops of a range. */
export interface OpsQuery {
  range: RangeQuery;
  /** Only those that the last search found. */
  matching: boolean;
  /** Only those that this text matches, too, as in a search; '' for all. */
  filter: string;
  /** Only those at least so long, and shorter than that; null for all. */
  lengths: readonly [Ns, Ns] | null;
  /** Equal ones follow one another in order of start. */
  sort: OpSort;
  descending: boolean;
  offset: number;
  limit: number;
}

/** What a flame is asked for. */
export interface FlameChoice {
  /** What it is made of; null for what says most. */
  layers: FlameLayers | null;
  measure: FlameMeasure;
  /** The bar that it begins with, by the names from the bottom; empty for all of it. */
  path: readonly string[];
  /** The one name that it is about. */
  name: string | null;
}

export const WHOLE_FLAME: FlameChoice = { layers: null, measure: 'time', path: [], name: null };
