// Answers of the core: FindingList, FindingRow, EvidenceRow and NotJudged.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clocks_note';
import type { VerdictFigures } from './verdict';
import type { FindingRule } from './words';

/** What is worth changing. */
export interface FindingList {
  schema: string;
  /** What the step mostly is, and sentences about it: what the host did, pauses, the longest step. */
  verdict: string;
  /** Its first sentence, which says what the step mostly is. */
  verdict_main: string;
  /** The figures of that sentence; left out if nothing took any time. */
  verdict_figures?: VerdictFigures;
  /**
   * How the findings were judged, as a sentence; where nothing was found that saves time, what the step consists of, and what to
   * record to learn more.
   */
  sentence: string;
  /** Why times of tasks cannot be compared; then no time between tasks is judged. */
  clocks?: ClockNote;
  /** The length of the recorded step. */
  step_ns: Ns;
  /** How far the replay without changes is from the recording, as a part of the step. */
  replay_error: number;
  /** How much the lengths of the opened steps vary. Null with less than two steps. */
  variation_ns: Ns | null;
  /** The framework whose words the advice uses: `graphs` (TensorFlow with sessions), `tensorflow2`, `jax`, `pytorch` or `unknown`. */
  framework: string;
  /** By saving, the largest first; where nothing was replayed, by time on the critical path; then those without a saving. */
  findings: FindingRow[];
  /** The rules that could not judge this trace. */
  not_judged: NotJudged[];
}

/** Something that is worth changing. */
export interface FindingRow {
  /** The rule that found it. */
  rule: FindingRule;
  /**
   * What it is about: an op, an op type, a task or a device; empty where the rule is about the whole step. Findings of two traces are
   * compared by it.
   */
  subject: string;
  /** What was found, as one or two sentences. */
  what: string;
  /** The same, with what it costs and what the step waits for afterwards. */
  sentence: string;
  /** How much shorter the step would be: as replayed, or the most that was measured. Null where neither is known. */
  saving_ns: Ns | null;
  /** The least of it. */
  low_ns: Ns | null;
  /** The most of it. */
  high_ns: Ns | null;
  /** Whether its time is a part of that in which a GPU waits for its host, which is a finding, too. */
  is_part?: boolean;
  /**
   * The saving, or the time on the critical path, in millionths of what `sentence` names: the step, the recording, or its steps. Null for
   * findings without a time.
   */
  share_ppm: number | null;
  /** What the rank rests on: `replay`, `measured`, `path` or `figure`. */
  basis: string;
  /** The evidence: ops to look at, the most important first. */
  where: EvidenceRow[];
  /** What to do about it, in the words of the framework. */
  advice: string;
  /** What the step mostly waits for afterwards: a category of `steplens.critical-path/1`. Null where nothing was replayed. */
  after: string | null;
  /** The change that was replayed, as `steplens what-if` reads it; null where no option says it. */
  change: string | null;
}

/** An op that shows a finding. */
export interface EvidenceRow {
  /** Its name; for a transfer its tensor. */
  op: string;
  /** Its row in `steplens ops --json`. */
  op_row: number;
  /** Its device. */
  device: string;
  /** When it started. */
  start_ns: Ns;
  /** When it ended. */
  end_ns: Ns;
}

/** A rule that could not judge the trace. */
export interface NotJudged {
  /** The rule. */
  rule: FindingRule;
  /** What it lacks: `replay`, `clocks`, `transfers`, `peers`, `participants`, `gpu`, `launches`, `scheduling`, `memory` or `steps`. */
  needs: string;
  /** The same in words. */
  needs_words: string;
}
