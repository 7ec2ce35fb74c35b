// Answers of the core: FleetStragglers, BehindPeers and FleetWorst.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { FinishedLast, FleetFinding } from './fleet_lists';
import type { FleetFigure } from './words';

/** Who keeps the fleet waiting. */
export interface FleetStragglers {
  /** What is worst in the run. */
  worst: FleetWorst;
  /** By the time that is lost, most first. */
  behind: BehindPeers[];
  /** The median step of each column, times its steps, over the run. */
  run_ns: number;
  /** How many steps have three tasks or more, so that somebody can be behind. */
  judged_steps: number;
}

/** A task that had more work than its peers. */
export interface BehindPeers {
  /** The row of the run. */
  row: number;
  /** The task; of several in a row the first. */
  task: string;
  /** In how many steps it had the most work, a tenth beyond the median or more. */
  steps: number;
  /** What the fleet lost by that. */
  time_ns: number;
  /** The part of its work that it had most more of in the worst column, as the word of a figure. */
  part: FleetFigure;
  /** How much more of it, there. */
  part_ns: number;
  /** The worst column. */
  column: number;
}

/** What is worst: one of these, or none. */
export interface FleetWorst {
  /** `work`: a task had more work than its peers; `end`: a task finished last; `finding`; `even`: nothing stands out; `empty`: nothing was read. */
  kind: string;
  /** As a part of the time of the run; null where it is not measured against that. */
  share: number | null;
  /** Of `work`. */
  behind: BehindPeers | null;
  /** Of `end`. */
  finished_last: FinishedLast | null;
  /** Of `finding`. */
  finding: FleetFinding | null;
}
