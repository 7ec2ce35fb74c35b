// Answers of the core: WhatIfPage, NotMade and SavingRows.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { WhatIf } from './what_if';
import type { MirroredTimeline } from './what_if_mirrored';
import type { SavingRow } from './what_if_table';

/** The answer with both timelines on one scale. Its table is empty: the page asks for that some rows at a time. */
export interface WhatIfPage extends WhatIf {
  timeline: MirroredTimeline;
  /** The changes that cannot be made here; `changes` has the others. */
  not_made: NotMade[];
}

/** A change that cannot be made. */
export interface NotMade {
  /** Its place among the changes that were asked for. */
  place: number;
  /** Why, as a sentence. */
  why: string;
}

/** Some rows of the table. */
export interface SavingRows {
  /** The number of all rows. */
  total: number;
  rows: SavingRow[];
}
