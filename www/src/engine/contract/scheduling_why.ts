// Answers of the core: WhyPage, WaitRow and InsteadRow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { MomentsRow } from './scheduling_moments';
import type { RanPlace } from './words';

/** Why an op started when it did. */
export interface WhyPage extends MomentsRow {
  op: OpId;
  /**
   * What it waited for last, and the kind of edge. `thread` means that there is no recorded dependency, and that the op before
   * on the thread made it ready.
   */
  cause: OpRef | null;
  cause_kind: string | null;
  /** The segments from the end of that (without it, from the start of the step) until the op began. They tile that time. */
  waits: WaitRow[];
  /** When it began, without waiting; null if it has no self time. */
  began_ns: Ns | null;
  /** The op before it on its thread, if that ended after this op was scheduled. */
  behind: OpRef | null;
  /** How much longer it could run before the static path gets longer. */
  slack_ns: Ns | null;
  /** Whether the observed path leads through it, and whether the static path does. */
  on_path: boolean;
  on_static_path: boolean;
  /** How long after its scheduling its last input ended, according to the records. */
  contradiction_ns: Ns | null;
  /** How long it could have run and did not: from its scheduling; for ops that nothing schedules, from what they waited for last. */
  queued_ns: Ns;
  /**
   * The ops that ran instead: first those on its own thread, stream or link, then all others; each group has the longest first;
   * at most 20.
   */
  instead: InsteadRow[];
  /** The number of all ops that ran instead. */
  instead_count: number;
  /** How many of these ran on its own thread, stream or link. */
  instead_own_count: number;
  /** How much of that time its own thread, stream or link was at work. */
  own_busy_ns: Ns;
  /** How much of that time any of these ops ran. */
  busy_ns: Ns;
  /** Whether its thread is inferred. */
  is_inferred: boolean;
  /** The last op of its batch (scheduled together with it) that had ended when it started. */
  mate: OpRef | null;
}

/** A segment of a wait, with the words of the observed path. */
export interface WaitRow {
  kind: string;
  start_ns: Ns;
  end_ns: Ns;
}

/** An op that ran instead. */
export interface InsteadRow {
  op: OpRef;
  /**
   * `thread`, `stream` or `link`: on that of the op itself; `device`: on another thread of its device; `shared`: on a device
   * that shares its threads.
   */
  place: RanPlace;
  /** How long it ran in that time. */
  length_ns: Ns;
}
