// Answers of the core: MemoryHolder, MemoryWhy and LastReader.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** An op that keeps tensors alive at a moment. */
export interface MemoryHolder {
  /** The op. */
  op: OpRef;
  /** What is alive at least until it ends. */
  bytes: number;
  /** How many tensors that are. */
  tensors: number;
}

export interface MemoryWhy {
  /** What allocated it. */
  op: OpRef;
  name: string;
  output: number | null;
  bytes: number;
  allocated_ns: Ns | null;
  freed_ns: Ns | null;
  /** Those who read it, the last first: the first of `reader_count`. */
  readers: OpRef[];
  reader_count: number;
  /** How many of them have not ended at the moment. */
  waiting: number;
  last: LastReader | null;
  /** What it is alive for at least: the nearest first, each held back by the next. */
  holders: MemoryHolder[];
}

/** The last reader of a tensor. */
export interface LastReader {
  op: OpRef;
  /** Of those who made its inputs, the one that ended last. */
  waited_for: OpRef | null;
  /** When all inputs were there. */
  ready_ns: Ns;
  /** How long it did not run although all inputs were there. */
  late_ns: Ns;
  /** What would be freed by the moment if it had run right after its inputs were there. */
  would_free_bytes: number;
  /** What its outputs would take instead. */
  would_need_bytes: number;
}
