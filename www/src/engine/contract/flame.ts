// Answers of the core: FlameAnswer, FlameName and FlameBar.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Category, FlameLayers, FlameMeasure } from './words';

/** What ran inside of what. */
export interface FlameAnswer {
  schema: string;
  /** How many names there are, and which took most, as a sentence. */
  sentence: string;
  /** What is left out, as sentences. */
  notes: string[];
  /** What the bars are made of: `modules`, `ops`, `python` or `scopes`; null if the trace has none of these. */
  layers: FlameLayers | null;
  /** What they can be made of in this trace. */
  choices: FlameLayers[];
  /** What widths and orders are of: `time` or `gpu`. */
  measure: FlameMeasure;
  /** The time of everything, on all threads together. */
  total_ns: Ns;
  /** The time of the kernels and copies that it launched. Kernels that run at the same time count each. */
  gpu_ns: Ns;
  /** The time that is in no bar, because an event ended after the event around it. */
  cut_ns: Ns;
  /**
   * The number of transfers that are left out: they are in no scope, and wait next to one another, which is the subject of
   * `network`.
   */
  transfers_left_out: number;
  /** By name, the one with most of the measure for itself first: the first of `name_count`. */
  names: FlameName[];
  /** The number of names. */
  name_count: number;
  /** The names from the bottom to the bar that the question is about, or as far as there are bars. */
  path: string[];
  /** The bars: each before those on it, the widest first. */
  bars: FlameBar[];
  /** The number of bars that are too narrow to be among them. */
  left_out: number;
  /** What is around one name, if the question is about one: at the bottom is the name, on it what was around it. */
  outside: FlameBar[];
  /** The number of paths around it that are not followed to their end, because they are too many or too long. */
  shortened: number;
}

/** The bars of one name. */
export interface FlameName {
  /** The name. */
  name: string;
  /** The category of what ran; null for a scope that is no op. */
  category: Category | null;
  /** The number of events. */
  count: number;
  /** Their time without what ran in them. */
  self_ns: Ns;
  /** Their time; of what is in itself, the outermost alone. */
  total_ns: Ns;
  /** The time of the kernels and copies that they launched themselves. */
  gpu_self_ns: Ns;
  /** The time of those that they, or anything in them, launched; of what is in itself, the outermost alone. */
  gpu_ns: Ns;
}

/** A path of names. */
export interface FlameBar {
  /** Its name. */
  name: string;
  /** The category of what ran; null for a scope that is no op. */
  category: Category | null;
  /** The number of bars below it. */
  depth: number;
  /** Where it begins, in the unit of its width: the sum of what is left of it. */
  at_ns: Ns;
  /** The number of events. */
  count: number;
  /** Their time without what ran in them. */
  self_ns: Ns;
  /** Their time. */
  total_ns: Ns;
  /** The time of the kernels and copies that they launched themselves. */
  gpu_self_ns: Ns;
  /** The time of the kernels and copies that they, or anything in them, launched. */
  gpu_ns: Ns;
}
