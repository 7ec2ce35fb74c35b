// Answers of the core: ClockNote.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** Why times of different tasks are not compared, and what helps. */
export interface ClockNote {
  /**
   * `differ`: aligning the clocks helps; `not-found`: the clocks differ, and no offsets were found that correct all tensors;
   * `contradict`: no offsets help; `accelerator`: programs end on an accelerator before its host asked for them; `coarse-host`: the
   * clock of the host counts in long ticks, and that of its accelerator does not.
   */
  why: string;
  /** The reason, as a sentence. */
  sentence: string;
  /** How much the clocks differ, for `accelerator` at least; for `coarse-host` its tick; for `contradict` the largest time by which a tensor is early. */
  differ_by_ns: Ns;
  /**
   * The number of tensors that arrive before they are sent, or contradict the others; for `accelerator` of programs that end too early;
   * for `coarse-host` of ops of the host without a length.
   */
  tensors: number;
  /** The number of tensors between tasks; for `accelerator` of programs; for `coarse-host` of ops of the host. */
  of_tensors: number;
  /** Why figures that compare tasks are withheld, as a sentence to be shown in their place. */
  withheld: string;
  /** Whether aligning the clocks corrects every tensor. */
  can_align: boolean;
}
