// Answers of the core: FleetBeforeAfter and FigureBeforeAfter.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { FleetFigure } from './words';

/** What is different from a step on. */
export interface FleetBeforeAfter {
  /** The first column of what is after. */
  column: number;
  /** When it began, in ns from 1970 as decimal text; '' where that is not known. */
  start_unix_ns: string;
  /** How many columns are before. */
  before: number;
  /** How many are after. */
  after: number;
  /** The length of the step first; then what is sure, most difference first; then the others. */
  figures: FigureBeforeAfter[];
}

/** A figure before and after. */
export interface FigureBeforeAfter {
  /** Its word. */
  figure: FleetFigure;
  /** Its median before. */
  before_ns: number;
  /** Its median after. */
  after_ns: number;
  /** How much more it is after; below 0 where it is less. */
  difference_ns: number;
  /** Differences up to this may be chance. */
  noise_ns: number;
  /** Whether it differs by more; null where a side has fewer than eight columns. */
  is_sure: boolean | null;
}
