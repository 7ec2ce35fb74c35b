// Answers of the core: Stragglers, Straggler, Ended, Chain and Cause.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { Listed } from './listed';
import type { OpRef } from './op_ref';
import type { CauseKind } from './words';

/** All stragglers. */
export interface Stragglers extends Listed<Straggler> {
  /** How many times each task was the straggler, the largest number first; only the first tasks. */
  often: [string, number][];
  /** The number of tasks that were a straggler. */
  often_total: number;
}

/** The task that came last among its peers in one step. */
export interface Straggler {
  /** The number of the step, as in `steplens steps`: from 1. */
  step: number;
  /** The task, or a device if there is only one task. */
  task: string;
  /** How much later it ended than the one before it. */
  after_next_ns: Ns;
  /** How much later it ended than the median of its peers. */
  behind_ns: Ns;
  /** The straggler and its peers, the last one first. */
  ended: Ended[];
  /** The number of tasks. */
  tasks: number;
  /** How the time from the step's start to its end divides along the chain. */
  chain: Chain;
  /** The root cause; null if nothing shows it. */
  cause: Cause | null;
  /** Whether chain and cause are based on only some of the ops and tasks, because there are too many. */
  is_cut: boolean;
}

/** When a task ended. */
export interface Ended {
  /** Its name. */
  task: string;
  /** The end of its last op; where its peers wait for it in a collective, when it came there. */
  ended_ns: Ns;
  /** Its last op, or the one before that collective. */
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

/** The root cause. */
export interface Cause {
  /** `ran-late`, `took-long`, `input-late` or `started-late`. */
  kind: CauseKind;
  /** The delayed op of the chain. */
  op: OpRef;
  /** The input of this op that was ready last. */
  input: OpRef | null;
  /** The device that sent that input, if it is a transfer. */
  source: string | null;
  /**
   * How long the op waited to run, or ran; or when its last input was ready or when it was scheduled, counted from the step's
   * start.
   */
  own_ns: Ns;
  /** The same value for its peers, as their median; null if the op has no peers to compare with. */
  usual_ns: Ns | null;
}
