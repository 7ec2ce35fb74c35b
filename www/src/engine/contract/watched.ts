// Answers of the core: WatchState, WatchedProcess, CallRow, WatchedTrace, AskedRow, AnswerRow and WatchProblem.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';

/** What a folder says now. */
export interface WatchState {
  schema: string;
  /** In order of their names. */
  processes: WatchedProcess[];
  /** In order of their ids, which begin with their time where Steplens made them. */
  requests: AskedRow[];
  /** What is wrong with the files. */
  problems: WatchProblem[];
}

/** A process, and its runs in figures. */
export interface WatchedProcess {
  /** Its name. */
  name: string;
  /** How many runs are listed. */
  runs: number;
  /** How many before them are no longer listed, and in no figure. */
  dropped: number;
  /** How many of those that are listed were traced. */
  traced: number;
  /** The global step of the last run. Null where none is known. */
  step: number | null;
  /** By what they fetch and are fed. */
  calls: CallRow[];
  /** The traces that are there, the newest first; at most 200. */
  traces: WatchedTrace[];
}

/** The runs with the same fetches and feeds. */
export interface CallRow {
  /** The row of this call in its process, by which runs name it. Null for the runs of which fetches and feeds are not known. */
  call: number | null;
  /** Null where they are not known. */
  fetches: string[] | null;
  /** Null where they are not known. */
  feeds: string[] | null;
  /** How many runs. */
  runs: number;
  /** How many of them were traced; their lengths are apart, because tracing makes a run longer. */
  traced: number;
  /** The mean of those that were not traced. Null without any; so are the next two. */
  mean_ns: Ns | null;
  /** The shortest of them. */
  min_ns: Ns | null;
  /** The longest of them. */
  max_ns: Ns | null;
  /** The mean of those that were traced. Null without any. */
  traced_mean_ns: Ns | null;
}

/** A trace that is there. */
export interface WatchedTrace {
  /** Its path within the folder. */
  path: string;
  /** Its size. */
  bytes: number;
  /** The number of its run in its process. */
  run: number;
  /** Null where none is known. */
  step: number | null;
  /** The traces of other processes that the same request wanted of the same step. */
  together: string[];
}

/** A request, and what became of it. */
export interface AskedRow {
  /** Its id. */
  id: string;
  /** `now`, `every`, `multiple` or `stop`. */
  kind: string;
  /** The n of `every` and `multiple`. */
  n: number;
  /** How many runs; 0 until it is stopped. */
  count: number;
  /** Who is asked. Null for all. */
  processes: string[] | null;
  /** In ns from 1970 as decimal text, because it does not fit in a double. */
  expires_unix_ns: string;
  /** In order of the names of the processes. */
  answers: AnswerRow[];
}

/** What became of a request in one process. */
export interface AnswerRow {
  /** Its name. */
  process: string;
  /** `seen`, `tracing`, `done`, `stopped`, `expired` or `refused`. */
  state: string;
  /** The numbers of the runs that were traced for it. */
  runs: number[];
  /** Why it was refused. */
  reason: string | null;
  /** In ns from 1970 as decimal text, because it does not fit in a double. */
  at_unix_ns: string;
}

/** Something that is wrong with the files. */
export interface WatchProblem {
  /** Its stable code. */
  code: string;
  /** How often. */
  count: number;
  /** A sentence: what is wrong, where first, and what is done about it. */
  detail: string;
}
