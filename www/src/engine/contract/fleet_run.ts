// Answers of the core: FleetOverview, FleetRunName, FleetRun and FleetRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { FleetLists } from './fleet_lists';
import type { FleetFigure } from './words';

/** The runs of a dataset. */
export interface FleetOverview {
  schema: string;
  /** In the order of the dataset. */
  runs: FleetRunName[];
  /** The days on which its steps began, in UTC, the first one first. */
  days: string[];
}

/** A run in a list. */
export interface FleetRunName {
  /** Its name. */
  name: string;
  /** How many tasks it has. */
  tasks: number;
  /** How many steps it has. */
  steps: number;
}

/** A run. */
export interface FleetRun {
  /** Its name. */
  name: string;
  /** How many tasks it has. */
  tasks: number;
  /** How many steps it has. */
  steps: number;
  /** How many tasks a row stands for; the last one may have fewer. */
  tasks_per_row: number;
  /** How many steps a column stands for; the last one may have fewer. */
  steps_per_column: number;
  /** How many rows of the table `split` a cell has at most. Above 1 a cell is their mean, or the largest of them. */
  most_in_cell: number;
  /** How many rows of the table `split` are in no cell, because the manifest lacks their task or step. */
  unplaced: number;
  /** From the top, by name. */
  rows: FleetRow[];
  /** By column, its first step. */
  first_steps: number[];
  /** By column, its last step. */
  last_steps: number[];
  /** By column, when it began, in ns from 1970 as decimal text; '' where that is not known. */
  starts_unix_ns: string[];
  /** Those that are not 0 in all cells. */
  figures: FleetFigure[];
  /** Stragglers, findings, links, op types and files. */
  lists: FleetLists;
}

/** A task, or several that follow one another. */
export interface FleetRow {
  /** The first of them; '' for files that name none. */
  first: string;
  /** The last of them; the same where it is one. */
  last: string;
  /** How many. */
  tasks: number;
  /** The job, whose tasks are peers. */
  job: string;
}
