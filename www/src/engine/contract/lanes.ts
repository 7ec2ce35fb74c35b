// Answers of the core: LaneGroup.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { LaneKind } from './words';

/** A run of a device's lanes that belong together. */
export interface LaneGroup {
  /** '' for packed ops, 'communication' for packed communication; else a thread, an op type or a name scope. */
  name: string;
  lanes: number;
  /** What most of its ops do. */
  kind: LaneKind;
}
