// Answers of the core: SavingRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What the step would save if something were faster. */
export interface SavingRow {
  /** `op-type`, `link` or `device`. */
  kind: string;
  /** Its name. */
  name: string;
  /** How much of the replayed critical path it takes. */
  on_path_ns: Ns;
  /** What the step saves if it takes 10, 25, 50 and 100 percent less time. */
  saving_ns: Ns[];
  /**
   * From which of these percentages on the line goes flat: the step saves less than half as much per percent as before, because
   * another path takes over. Null if it does not.
   */
  flat_from: number | null;
  /** The change of 50 percent, as `steplens what-if` reads it. */
  change: string;
}
