// Answers of the core: FlowEdge and Flow.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** An edge: one op used an output of another. A transfer is an op on the way from producer to consumers. */
export interface FlowEdge {
  from: OpRef;
  to: OpRef;
  /**
   * -1 for edges from a direct producer, -2 from a producer of these, and so on; 1 for edges to a direct consumer, 2 to a
   * consumer of these, and so on.
   */
  hop: number;
  /** Whether one of the two is a transfer. */
  transfer: boolean;
  /** When the call was made by which `from` launched `to`, if that was recorded: `from` may continue while `to` runs. */
  called_ns: Ns | null;
}

export interface Flow {
  /** The edges, each once, the nearest first. */
  edges: FlowEdge[];
  /** Whether there are more than the 2,000 edges that are listed. */
  truncated: boolean;
}
