// Answers of the core: PathPart.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** A part of the observed path. */
export interface PathPart {
  /** The common key of the segments. */
  key: string;
  /** The time of these segments together. */
  length_ns: Ns;
  /** The number of these segments. */
  segments: number;
  /** The op of its longest segment. */
  longest: string | null;
  /** The time of its longest segment. */
  longest_ns: Ns;
}
