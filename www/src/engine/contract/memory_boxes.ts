// Answers of the core: MemoryBox, MemoryPiece and MemoryBoxes.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';

/** One box, which may have several pieces. */
export interface MemoryBox {
  life: number;
  op: OpId;
  name: string;
  bytes: number;
}

/** A piece of a box: its time, and how many bytes are below it. */
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
