// Answers of the core: WhatIf, LinesRow, ChangeRow, ReplayedPart and OpTypePart.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clocks_note';
import type { SavingRow } from './what_if_table';
import type { PathKind } from './words';

/** What a change of the step would do. */
export interface WhatIf {
  schema: string;
  /** The answer as a sentence. */
  sentence: string;
  /** Why times of tasks cannot be compared; then nothing is predicted. */
  clocks?: ClockNote;
  /** The length of the recorded step. */
  baseline_ns: Ns;
  /** The length of the step when it is replayed without any change. */
  replayed_ns: Ns;
  /** How far the replayed length is from the recorded one, as a part of it: 0.013 is 1.3 %. */
  replay_error: number;
  /** The part of the ops that start in the replay within one percent of the step of when they started. */
  started_near: number;
  /**
   * What remains of the step when nothing takes any time, beyond launches, gaps and queues at senders that were recorded as such:
   * no change moves it.
   */
  frozen_ns: Ns;
  /** How much the lengths of the steps vary: the median of their distances from their median. Null with less than two steps. */
  variation_ns: Ns | null;
  /** How the transfers of this step share their links, as it fits the recording best. Null without transfers. */
  lines: LinesRow | null;
  /** The changes, with the number of ops that each of them meets. */
  changes: ChangeRow[];
  /**
   * The length of the step with all changes. Null without changes, or where the replay is too far from the recording, or too much of
   * the step is frozen.
   */
  predicted_ns: Ns | null;
  /** The least that the step would take: threads wake up sooner or later, steps vary, the replay is off, and frozen time may move, too. */
  low_ns: Ns | null;
  /** The most that the step would take. */
  high_ns: Ns | null;
  /** How much shorter that is than the replay without changes; negative where the step gets longer. */
  saving_ns: Ns | null;
  /**
   * What the prediction is worth: `predicted`, `within-error`, `within-variation`, `no-effect`, `refused` (the replay is too
   * far from the recording), `frozen` (too much of the step is frozen), or `no-changes`.
   */
  judgement: string;
  /** What the replayed step waits for without changes, the longest first. */
  critical_before: ReplayedPart[];
  /** What the step waits for with all changes, the longest first. */
  critical_after: ReplayedPart[];
  /** Of the critical path with all changes: the op types on it, the longest first, at most twenty. */
  op_types_after: OpTypePart[];
  /** Without changes: what is worth changing, and what each would save. */
  table: SavingRow[];
}

/** How transfers share links. */
export interface LinesRow {
  /** `fair-share` or `in-order`. */
  sharing: string;
  /** What is shared: `link`, `sender` or `receiver`. */
  spread: string;
}

/** A change. */
export interface ChangeRow {
  /** Its word: `op`, `link`, and so on. */
  change: string;
  /** What stands behind the word. */
  text: string;
  /** The number of ops and transfers that it meets. */
  ops: number;
}

/** A part of a replayed critical path. */
export interface ReplayedPart {
  /** What the time was spent on, as in `steplens.critical-path/1`. */
  category: PathKind;
  /** The time. */
  length_ns: Ns;
  /** The part of the step in millionths. */
  share_ppm: number;
}

/** An op type on a replayed critical path. */
export interface OpTypePart {
  /** The op type. */
  op_type: string;
  /** Its time on the path. */
  length_ns: Ns;
}
