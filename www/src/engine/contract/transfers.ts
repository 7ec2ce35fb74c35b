// Answers of the core: Transfer.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { Certainty, NoProducer } from './words';

/** One transfer. Times that were not recorded are null. */
export interface Transfer {
  transfer: number;
  /** The op that recorded it, if one did. */
  op: OpId | null;
  tensor: string;
  source: string;
  destination: string;
  /** The index of the output of its producer. */
  output: number;
  /** The variable whose value or gradient it is. */
  variable: string | null;
  /** `value` or `gradient`. */
  kind: string | null;
  bytes: number | null;
  dtype: string | null;
  shape: string | null;
  producer: OpRef | null;
  producer_end_ns: Ns | null;
  /** When it was handed over to be sent: the start of its `_Send` node, if a host profiler recorded that. */
  handed_over_ns: Ns | null;
  sent_ns: Ns | null;
  received_ns: Ns | null;
  queued_ns: Ns | null;
  wire_ns: Ns | null;
  unused_ns: Ns | null;
  delayed_ns: Ns | null;
  /**
   * Exposed communication of the receiver that is blamed on it. Null if no op recorded it, and in the details of an op, where it
   * is not computed.
   */
  waited_ns: Ns | null;
  bytes_per_second: number | null;
  /** The first of its consumers; `consumer_count` is the number of all. */
  consumers: OpRef[];
  /** The number of its consumers. */
  consumer_count: number;
  /** How producer and consumers were found: exactly, from the graphs; or inferred from labels. */
  joined: string | null;
  /** How sure its producer is: `exact`, `inferred` or `ambiguous`; and the number of candidates. */
  certainty: Certainty;
  candidates: number | null;
  /** Why there is no producer, if there is none: one of the codes in the documentation. */
  unjoined_because: NoProducer | null;
}
