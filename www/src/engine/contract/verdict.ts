// Answers of the core: VerdictFigures.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The figures of the verdict, which stand in the split and the path, too. */
export interface VerdictFigures {
  /** What decides: `split`, where at least half of the time is one part of it that is not idle, or `path`. */
  decided_by: string;
  /** The length of what is shown; where the clock of an accelerator is not that of its host, from the accelerator’s first work to its last. */
  length_ns: Ns;
  /** The largest part of the split: a category, or `idle`; where the split decides, the largest that is not idle. */
  split_part: string;
  /** How long it is. */
  split_ns: Ns;
  /**
   * The largest part of the observed path: `compute`, `copy`, `network`, `waiting`, `behind`, `launching`, `allocation`, `input`,
   * `starting`, `host`, `between` or `unknown`. Null where times of tasks cannot be compared.
   */
  path_part: string | null;
  /** How long it is. */
  path_ns: Ns | null;
  /**
   * What the GPU that waits least for its host is mostly idle for, `input` or `host`, where the path names the other one of the two; else
   * null.
   */
  waits_for: string | null;
  /** How long it is idle for that. */
  waits_ns: Ns | null;
  /** Whether the two say the same. */
  agrees: boolean;
  /** Where the part of the recording begins that the verdict is about; null if it is about all of it. */
  from_ns: Ns | null;
  /** Where it ends. */
  to_ns: Ns | null;
}
