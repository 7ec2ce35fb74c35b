// Answers of the core: MomentsRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** The moments of an op; null for those that were not recorded. */
export interface MomentsRow {
  /** What ran it: `executor`, `stream`, `network`, `program`, or `nothing` for a range. */
  run_by: string;
  /** When its last input was ready. */
  ready_ns: Ns | null;
  /** When it was scheduled; for a kernel, when it was launched. */
  scheduled_ns: Ns | null;
  /** When it started. */
  start_ns: Ns;
  /** When its kernel started. */
  kernel_start_ns: Ns | null;
  /** When its kernel ended. */
  kernel_end_ns: Ns | null;
  /** When it ended. */
  end_ns: Ns;
  /** From ready to scheduled. */
  wait_ns: Ns | null;
  /** From scheduled to start. */
  queue_ns: Ns | null;
  /** From start to the kernel's start. */
  set_up_ns: Ns | null;
  /** How long the kernel took. */
  kernel_ns: Ns | null;
  /** From the kernel's end to the end. */
  tear_down_ns: Ns | null;
}
