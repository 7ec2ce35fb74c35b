// Answers of the core: AliveRow and MemoryAlive.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { MemoryHolder } from './memory_why';

/** Equal allocations that are alive, as one row. */
export interface AliveRow {
  /** What they have in common: the name of the op that allocated them, an op type, a scope, a shape or a variable; may be empty. */
  op: string;
  /** The index of the output of its op; null if it is not known, or if rows of several outputs are merged. */
  output: number | null;
  /** The bytes of all of them. */
  bytes: number;
  /** The number of allocations. */
  count: number;
  /** The data type of the largest. */
  dtype: string | null;
  /** The shape of the largest. */
  shape: string | null;
  /** The row of the op that allocated the largest of them. */
  op_id: number;
  /** The row of the largest in the account's lives. */
  life: number;
  /** When the first of them was allocated; null if that was before the recording. */
  allocated_ns: Ns | null;
  /** When the last of them was freed; null if it never was. */
  freed_ns: Ns | null;
}

/** What is alive at a moment. */
export interface MemoryAlive {
  /** The moment; null for before everything. */
  at_ns: Ns | null;
  /** The bytes of everything that is alive. */
  bytes: number;
  /** The number of allocations. */
  lives: number;
  /** The number of all rows. */
  row_count: number;
  /** The first rows. */
  rows: AliveRow[];
  /** Of how many allocations the variable was not sought to the end, as a sentence; left out if there are none. */
  not_sought?: string;
  /** The ops that keep the most bytes alive. */
  holders: MemoryHolder[];
}
