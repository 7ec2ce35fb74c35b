// Answers of the core: Transfer.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { OpRef } from './op_ref';
import type { Certainty, NoProducer } from './words';

/** One transfer. Times that nothing recorded are null. */
export interface Transfer {
  /** Its number. */
  transfer: number;
  /** The op that recorded it, if one did. */
  op: OpId | null;
  /** The tensor part of the rendezvous key. */
  tensor: string;
  /** The variable that it is a value of, or a gradient for. */
  variable: string | null;
  /** `value` or `gradient`. */
  kind: string | null;
  /** The device that sent it. */
  source: string;
  /** The device that received it. */
  destination: string;
  /** Which output of its producer it is. */
  output: number;
  /** Its size. */
  bytes: number | null;
  /** The type of its values. */
  dtype: string | null;
  /** Its shape. */
  shape: string | null;
  /** The op that made the tensor. */
  producer: OpRef | null;
  /** When the op that made the tensor ended. */
  producer_end_ns: Ns | null;
  /** When it was handed over to be sent: the start of its `_Send` node, where a host profiler recorded that. */
  handed_over_ns: Ns | null;
  /** When it was sent. */
  sent_ns: Ns | null;
  /** When it was received. */
  received_ns: Ns | null;
  /** From the producer's end to the sending. */
  queued_ns: Ns | null;
  /** From the sending to the receipt. */
  wire_ns: Ns | null;
  /** From the receipt until the first consumer was scheduled. */
  unused_ns: Ns | null;
  /** How much later its first consumer could start because of it. */
  delayed_ns: Ns | null;
  /**
   * Exposed communication of the receiver that it is blamed for. Null if no op recorded it, and in the details of an op, which do
   * not look for it.
   */
  waited_ns: Ns | null;
  /** Its size by its time in transit. */
  bytes_per_second: number | null;
  /** The op that was scheduled first of those that used it. */
  first_consumer: number | null;
  /** The first ops that used it; `consumer_count` is how many there are. */
  consumers: OpRef[];
  /** How many ops used it. */
  consumer_count: number;
  /** How producer and consumers were found: exactly, from the graphs; or inferred from labels. */
  joined: string | null;
  /** How surely its producer is known: `exact`, `inferred` or `ambiguous`; and of how many it is one. */
  certainty: Certainty;
  /** Of how many ops the producer is one, where it is ambiguous. */
  candidates: number | null;
  /** Why there is no producer, when there is none: one of the codes of docs. */
  unjoined_because: NoProducer | null;
}
