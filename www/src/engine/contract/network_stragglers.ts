// Answers of the core: Stragglers, Straggler, Ended, Chain and Cause.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { Listed } from './listed';
import type { OpRef } from './op_ref';
import type { CauseKind } from './words';

/** All of them. */
export interface Stragglers extends Listed<Straggler> {
  /** How often each task was the straggler, the most often first; the first of them. */
  often: [string, number][];
  /** How many tasks were. */
  often_total: number;
}

/** Who ended last among its peers in one step. */
export interface Straggler {
  /** Which step, as `steplens steps` counts them: from 1. */
  step: number;
  /** The task, or a device where there is one task. */
  task: string;
  /** How much later than the one before it. */
  after_next_ns: Ns;
  /** How much later than the median of its peers. */
  behind_ns: Ns;
  /** It and its peers, the last one first. */
  ended: Ended[];
  /** How many they are. */
  tasks: number;
  /** How the time from the step's start to its end divides along the chain. */
  chain: Chain;
  /** Null if nothing says it. */
  cause: Cause | null;
  /** Whether chain and cause rest on a part of the ops and tasks, because there are too many. */
  is_cut: boolean;
}

/** When a task ended. */
export interface Ended {
  /** Its name. */
  task: string;
  /** The end of its last op. */
  ended_ns: Ns;
  /** Its last op. */
  op: OpId;
}

/** How the time of a chain divides. */
export interface Chain {
  ops: number;
  before_ns: Ns;
  running_ns: Ns;
  waiting_ns: Ns;
  queued_ns: Ns;
  wire_ns: Ns;
}

/** The first cause. */
export interface Cause {
  /** `ran-late`, `took-long`, `input-late` or `started-late`. */
  kind: CauseKind;
  /** Where in the chain. */
  op: OpRef;
  /** What of its inputs came last. */
  input: OpRef | null;
  /** Who sent that, if it is a transfer. */
  source: string | null;
  /** How long it waited to run, or ran; or when, from the step's start, its last input came or it was scheduled. */
  own_ns: Ns;
  /** The same of its peers: their median; null if there is none to compare with. */
  usual_ns: Ns | null;
}
