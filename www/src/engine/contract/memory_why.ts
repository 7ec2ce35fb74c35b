// Answers of the core: MemoryHolder, MemoryWhy and LastReader.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpRef } from './op_ref';

/** An op that keeps tensors alive at a moment. */
export interface MemoryHolder {
  /** The op. */
  op: OpRef;
  /** The bytes that are alive at least until it ends. */
  bytes: number;
  /** The number of tensors with these bytes. */
  tensors: number;
}

export interface MemoryWhy {
  /** The op that allocated it. */
  op: OpRef;
  name: string;
  output: number | null;
  bytes: number;
  allocated_ns: Ns | null;
  freed_ns: Ns | null;
  /** The first of the ops that read it, the last to end first; `reader_count` is the number of all. */
  readers: OpRef[];
  reader_count: number;
  /** How many of them have not ended at that moment. */
  waiting: number;
  last: LastReader | null;
  /** The ops that keep it alive: the nearest first, each held back by the next. */
  holders: MemoryHolder[];
}

/** The last reader of a tensor. */
export interface LastReader {
  op: OpRef;
  /** The op that ended last among those that made its inputs. */
  waited_for: OpRef | null;
  /** When all inputs were ready. */
  ready_ns: Ns;
  /** How long it did not run although all inputs were ready. */
  late_ns: Ns;
  /** The bytes that would be free at that moment if it had run right after its inputs were ready. */
  would_free_bytes: number;
  /** The bytes that its outputs would need instead. */
  would_need_bytes: number;
}
