// Answers of the core: WhyPage and InsteadRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** Why an op started when it did. */
export interface WhyPage {
  /** What it waited for last, and how. */
  cause: OpRef | null;
  cause_kind: string | null;
  /** What stands before it on its thread, if that ended after it was scheduled. */
  behind: OpRef | null;
  /** How much longer it could last before the static path gets longer. */
  slack_ns: Ns | null;
  /** What ran it: `executor`, `stream`, `network`, `program`, or `nothing` of a range. */
  run_by: string;
  /** Its moments; null where nothing was recorded. */
  ready_ns: Ns | null;
  scheduled_ns: Ns | null;
  start_ns: Ns;
  kernel_start_ns: Ns | null;
  kernel_end_ns: Ns | null;
  end_ns: Ns;
  /** The parts between them. */
  wait_ns: Ns | null;
  queue_ns: Ns | null;
  set_up_ns: Ns | null;
  kernel_ns: Ns | null;
  tear_down_ns: Ns | null;
  /** By how much its last input ended after it was scheduled, as it was recorded. */
  contradiction_ns: Ns | null;
  /**
   * What ran while it was scheduled and had not started: first on its own thread or stream, then elsewhere; in each the longest first;
   * at most 20.
   */
  instead: InsteadRow[];
  /** How many ran then. */
  instead_count: number;
  /** How many of these on its own thread or stream. */
  instead_own_count: number;
  /** How much of the queue its own thread or stream was at work. */
  own_busy_ns: Ns;
  /** Whether its thread is inferred. */
  is_inferred: boolean;
  /** Ops of its batch: scheduled together with it, and ended when it started; the last of them. */
  mate: OpRef | null;
}

/** An op that ran instead. */
export interface InsteadRow {
  op: OpRef;
  /** `thread` or `stream`: on its own; `device`: on another thread of its device; `shared`: on a device that shares its threads. */
  place: string;
  /** How long it ran in that time. */
  length_ns: Ns;
}
