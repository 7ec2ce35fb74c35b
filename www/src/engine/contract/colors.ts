// Answers of the core: Colors and ColorSum.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ColorBy } from './words';

/** What colours stand for. There are eight, and a ninth for the rest; of categories, as many as there are. */
export interface Colors {
  by: ColorBy;
  /** By colour, what it stands for, and '' for a colour that nothing has; none where `bounds_ns` say it. */
  names: string[];
  /** Where colours stand for lengths of time: where each but the first begins. */
  bounds_ns: Ns[];
  /** How many names have the colour of the rest. */
  others: number;
}

/** The ops of one colour that overlap a range. */
export interface ColorSum {
  ops: number;
  /** Their time within the window, without what ops nested in them cover: as the table of op types sums it. */
  own_ns: Ns;
}
