// Answers of the core: PathPart.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** A part of the observed path. */
export interface PathPart {
  /** What they have in common. */
  key: string;
  /** How long they are together. */
  length_ns: Ns;
  /** How many there are. */
  segments: number;
  /** The op of its longest segment. */
  longest: string | null;
  /** How long that is. */
  longest_ns: Ns;
}
