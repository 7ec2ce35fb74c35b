// Answers of the core: AliveRow and MemoryAlive.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { MemoryHolder } from './memory_why';

/** Equal rows of what is alive. */
export interface AliveRow {
  /** What they have in common: the name of the op that allocated them, an op type, a scope, a shape or a variable. Empty for none. */
  op: string;
  /** Which output of its op, by its place; null where that is not known, or rows of several are merged. */
  output: number | null;
  /** All of them together. */
  bytes: number;
  /** How many they are. */
  count: number;
  /** What the largest has for numbers. */
  dtype: string | null;
  /** Its shape. */
  shape: string | null;
  /** The op that allocated the largest of them, by its row. */
  op_id: number;
  /** The row of the largest among the lives of the account. */
  life: number;
  /** When the first of them was allocated; null if that was before anything was recorded. */
  allocated_ns: Ns | null;
  /** When the last of them was freed; null if it never was. */
  freed_ns: Ns | null;
}

/** What is alive at a moment. */
export interface MemoryAlive {
  /** The moment; null for before everything. */
  at_ns: Ns | null;
  /** All that is alive. */
  bytes: number;
  /** How many allocations. */
  lives: number;
  /** How many rows there are. */
  row_count: number;
  /** The first of them. */
  rows: AliveRow[];
  /** The ops that keep the most of it alive. */
  holders: MemoryHolder[];
}
