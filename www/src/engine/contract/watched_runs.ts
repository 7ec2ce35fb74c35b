// Answers of the core: WatchedRun.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** A run. */
export interface WatchedRun {
  /** Its number in its process. */
  run: number;
  /** When it began, by the clock of its machine, in ns from 1970 as decimal text, because it does not fit in a double. */
  start_unix_ns: string;
  /** How long it took. */
  length_ns: Ns;
  /** The global step. Null where none is known. */
  step: number | null;
  /** What it fetched and was fed, as a row of its process. Null where that is not known. */
  call: number | null;
  /** The path of its trace within the folder. Null for a run that was not traced. */
  trace: string | null;
  /** The size of the trace. Null where it is not there (any more). */
  trace_bytes: number | null;
  /** Which request it was traced for. */
  request: string | null;
}
