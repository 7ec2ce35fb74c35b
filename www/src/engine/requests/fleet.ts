// What is asked of the summary of a fleet, and answers that are typed arrays: crates/steplens-wasm/src/page/fleet.rs.
import type { HeatScale } from '../contract/fleet_heat';
import type { FleetFigure } from '../contract/words';

/** What a picture of a run is of. */
export interface HeatQuery {
  /** Among the runs of the summary. */
  run: number;
  figure: FleetFigure;
  /** As a share of the step. */
  as_share: boolean;
  /** Of cells that stand for several rows, the largest and not the mean. */
  largest: boolean;
  /** The rows with most of it first; else by name. */
  by_figure: boolean;
}

/** A picture: rows from the top, columns from the left. */
export interface FleetHeat {
  /** By cell: ns, or a part of 1. NaN where there is none. */
  values: Float32Array;
  /** By cell: 1 is the low end of the scale and 255 the high one; 0 is none. */
  levels: Uint8Array;
  /** By row of the picture, the row of the run. */
  order: Uint32Array;
  /** By row of the picture, the mean over its columns. */
  row_means: Float32Array;
  scale: HeatScale;
}

/** By column, over the tasks; NaN where none has a value. */
export interface FleetSeries {
  p10: Float32Array;
  median: Float32Array;
  p90: Float32Array;
  most: Float32Array;
  /** The row of the run with the largest. */
  most_row: Uint32Array;
}
