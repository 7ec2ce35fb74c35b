// Answers of the core: Colors and ColorSum.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ColorBy } from './words';

/** What colours stand for. There are eight, and a ninth for the rest; for categories, one for each category. */
export interface Colors {
  by: ColorBy;
  /** For each colour what it stands for, and '' for a colour that no op has; empty if `bounds_ns` is used. */
  names: string[];
  /** If colours stand for lengths of time: the lower bound of each colour except the first. */
  bounds_ns: Ns[];
  /** The number of names with the colour for the rest. */
  others: number;
}

/** The ops of one colour that overlap a range. */
export interface ColorSum {
  ops: number;
  /** Their time within the window, without the ops nested in them: as the table of op types sums it. */
  own_ns: Ns;
}
