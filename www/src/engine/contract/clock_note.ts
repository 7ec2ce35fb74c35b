// Answers of the core: ClockNote.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** Why times of different tasks are not compared, and what helps. */
export interface ClockNote {
  /** `differ`: aligning helps; `not-found`: they differ, and no offsets were found that put all right; `contradict`: no offsets help. */
  why: string;
  /** It, in a sentence. */
  sentence: string;
  /** How far the clocks differ; of `contradict` by how much the earliest tensor is early. */
  differ_by_ns: Ns;
  /** How many tensors arrive before they are sent, or contradict the others. */
  tensors: number;
  /** Of how many between tasks. */
  of_tensors: number;
  /** Why figures that compare tasks are withheld, in a sentence for the places where they would stand. */
  withheld: string;
  /** Whether aligning the clocks puts every tensor right. */
  can_align: boolean;
}
