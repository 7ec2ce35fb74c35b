// What the page remembers of the folder that it watches.
import type { Place } from '../engine/watched/place';
import type { WorkerEngine } from '../engine/worker_engine';
import type { Listed, WatchedRun, WatchState } from '../engine/protocol';

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
