// Answers of the core: FleetCell and CellFigure.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { FleetFigure } from './words';

/** A cell. */
export interface FleetCell {
  /** The row of the run. */
  row: number;
  /** The column. */
  column: number;
  /** All figures that are known of it; none where the cell has no row of the table `split`. */
  figures: CellFigure[];
  /** The file to open: of an aggregated cell the one with the largest value of the figure that was asked for. Null where there is none. */
  source: string | null;
  /** The step to open. */
  step: number;
  /** Which part of the step it has most more of than the median of its peers, as the word of a figure; null where it has more of none. */
  most_beyond: FleetFigure | null;
  /** How much more of that. */
  beyond_ns: number;
}

/** A figure of a cell. */
export interface CellFigure {
  /** Its word. */
  figure: FleetFigure;
  /** The mean of its rows. */
  value_ns: number;
  /** As a part of the step. */
  share: number;
  /** The median of its peers in this column; null with fewer than three. */
  peers_ns: number | null;
  /** The largest of its rows; null where it is one. */
  largest_ns: number | null;
}
