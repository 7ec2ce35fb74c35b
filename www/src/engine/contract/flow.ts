// Answers of the core: FlowEdge and Flow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** One op used what another made; a transfer is an op on the way from producer to consumers. */
export interface FlowEdge {
  from: OpRef;
  to: OpRef;
  /** -1 from a direct producer, -2 from a producer of these, ...; 1 to a direct consumer, 2 to a consumer of these, ... */
  hop: number;
  /** Whether one of the two is a transfer. */
  transfer: boolean;
  /** When the call was made by which `from` launched `to`, where that was recorded: `from` may go on while `to` runs. */
  called_ns: Ns | null;
}

export interface Flow {
  /** Every edge once, the nearest first. */
  edges: FlowEdge[];
  /** Whether there are more than the 2,000 that are listed. */
  truncated: boolean;
}
