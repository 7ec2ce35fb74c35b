// Answers of the core: LaneGroup.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { LaneKind } from './words';

/** Lanes of a device that belong together and are next to one another. */
export interface LaneGroup {
  /** '' for packed ops, 'communication' for packed communication; otherwise a thread, an op type or a name scope. */
  name: string;
  lanes: number;
  /** What most of its ops do. */
  kind: LaneKind;
}
