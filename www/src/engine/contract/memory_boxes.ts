// Answers of the core: MemoryBox, MemoryPiece and MemoryBoxes.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';

/** One box, of which there may be several pieces. */
export interface MemoryBox {
  life: number;
  op: OpId;
  name: string;
  bytes: number;
}

/** A part of a box: from when until when, and on how many bytes it lies. */
export interface MemoryPiece {
  /** The row of its box. */
  of: number;
  start_ns: Ns;
  end_ns: Ns;
  above_bytes: number;
}

export interface MemoryBoxes {
  boxes: MemoryBox[];
  pieces: MemoryPiece[];
}
