// Answers of the core: Days, StepsOfDay, TypeOverDays, FleetDays and TypeOfTwoDays.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category } from './words';

/** What the file has of days. */
export interface Days {
  steps: StepsOfDay[];
  types: TypeOverDays[];
  /** How many rows are in none of these, because there are too many different ones. */
  left_out: number;
}

/** How many steps of tasks of a job began on a day. */
export interface StepsOfDay {
  job: string;
  /** Among the days of the dataset. */
  day: number;
  steps: number;
}

/** An op type of a job, and its self time by day. */
export interface TypeOverDays {
  job: string;
  category: Category;
  op_type: string;
  place: string;
  /** Days among those of the dataset, and self time in ns. */
  self_ns: [number, Ns][];
}

/** What is different between two days. */
export interface FleetDays {
  /** The earlier day. */
  day_a: string;
  /** The later one. */
  day_b: string;
  /** Most growth first; communication and waiting, whose time includes that of others, come last. */
  types: TypeOfTwoDays[];
  /** How many of them are not listed. */
  more: number;
  /** How many rows of the dataset are in none of these, because it has too many different ones. */
  left_out: number;
}

/** An op type that both days have steps for. */
export interface TypeOfTwoDays {
  /** Its name. */
  op_type: string;
  /** The job, whose tasks are peers. */
  job: string;
  /** What its time is spent on, as a word. */
  category: Category;
  /** `accelerator` or `host`. */
  place: string;
  /** How many steps of tasks of that job began on the earlier day. */
  steps_a: number;
  /** How many on the later one. */
  steps_b: number;
  /** The mean self time of a step of one task, on the earlier day. */
  mean_a_ns: Ns;
  /** The same on the later one. */
  mean_b_ns: Ns;
  /** How much longer it takes on the later one; below 0 where it takes less. */
  difference_ns: Ns;
  /** Whether that time includes waiting for others. */
  is_waiting: boolean;
}
