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
  /** What it waited for last, and how: `thread` where no dependency says it, and it is the op before that made it ready. */
  cause: OpRef | null;
  cause_kind: string | null;
  /** What each moment from the end of that (without it, from the start of the step) until it began was; they touch. */
  waits: WaitRow[];
  /** When it began, without waiting; null for what took no time of its own. */
  began_ns: Ns | null;
  /** What stands before it on its thread, if that ended after it was scheduled. */
  behind: OpRef | null;
  /** How much longer it could last before the static path gets longer. */
  slack_ns: Ns | null;
  /** Whether the observed path leads through it, and whether the static path does. */
  on_path: boolean;
  on_static_path: boolean;
  /** By how much its last input ended after it was scheduled, as it was recorded. */
  contradiction_ns: Ns | null;
  /** How long it could have run and did not: from its scheduling, or for what nothing schedules from what it waited for last. */
  queued_ns: Ns;
  /** What ran then: first on its own thread, stream or link, then elsewhere; in each the longest first; at most 20. */
  instead: InsteadRow[];
  /** How many ran then. */
  instead_count: number;
  /** How many of these on its own thread, stream or link. */
  instead_own_count: number;
  /** How much of that time its own thread, stream or link was at work. */
  own_busy_ns: Ns;
  /** How much of it any of them ran. */
  busy_ns: Ns;
  /** Whether its thread is inferred. */
  is_inferred: boolean;
  /** Ops of its batch: scheduled together with it, and ended when it started; the last of them. */
  mate: OpRef | null;
}

/** A stretch of a wait, with the words of the observed path. */
export interface WaitRow {
  kind: string;
  start_ns: Ns;
  end_ns: Ns;
}

/** An op that ran instead. */
export interface InsteadRow {
  op: OpRef;
  /** `thread`, `stream` or `link`: on its own; `device`: on another thread of its device; `shared`: on a device that shares its threads. */
  place: RanPlace;
  /** How long it ran in that time. */
  length_ns: Ns;
}
