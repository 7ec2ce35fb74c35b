// What the page remembers of the folder that it watches.
import type { EngineError } from '../engine/errors';
import type { Place } from '../engine/watched/place';
import type { WorkerEngine } from '../engine/worker_engine';
import type { Glance, Listed, WatchedFile, WatchedRun, WatchState } from '../engine/protocol';

/** A trace below the folder, which no recorder wrote. */
export interface TraceBelow extends WatchedFile {
  /** What it is at a glance, or why it was not read; null until it was. */
  said: Glance | { why: string } | 'large' | null;
}

export interface Watching {
  readonly place: Place;
  /** A worker of its own: a large trace that is being opened does not keep it waiting. */
  readonly engine: WorkerEngine;
  /** Null until the first look. */
  said: WatchState | null;
  /** The process whose runs are listed; null for the first one. */
  process: string | null;
  /** Only the runs of this row of calls; null for all. */
  call: number | null;
  /** Only the runs that were traced. */
  traced_only: boolean;
  /** Of the process that is listed; null until they are there. */
  runs: Listed<WatchedRun> | null;
  /** Where no recorder has been, the traces below the folder, the newest first; null until they are listed. */
  below: readonly TraceBelow[] | null;
  /** The folders below that may not be read. */
  unread: number;
  /** When they were listed last. */
  listed_ms: number;
  /** Why they could not be listed; null where they were. */
  below_fault: EngineError | null;
  /** Whether one of them is being read. */
  reads: boolean;
  /** Whether new traces are opened as they come. */
  opens: boolean;
  /** The traces that were there at the first look or have been opened. */
  known: ReadonlySet<string>;
  /** What was opened last. */
  opened: readonly string[];
  /** The files of the last look, to see whether anything is new. */
  looked: string;
  /** Why the last look failed; null where it did not. */
  fault: string | null;
  /** Whether all of it is shown; null for as it is usual: while nothing is open. */
  is_open: boolean | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}
