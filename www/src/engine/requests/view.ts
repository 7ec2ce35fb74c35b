// Which view of the opened files is shown.
import type { OpTime, Repair, StepRule } from '../contract/words';

/** What of the opened files is shown. */
export interface View {
  rule: StepRule;
  /** A row of `StepList`, or null for all of them on one axis. */
  step: number | null;
  /** What is repaired, by the codes of findings. */
  repairs: readonly Repair[];
  op_time: OpTime;
  /** What the clocks of tasks are set by: `estimated`, and `TASK=NS` for those set by hand; nothing as recorded. */
  clocks: readonly string[];
  /** Regular expressions over op types and names that count as communication too. */
  communication: readonly string[];
}
