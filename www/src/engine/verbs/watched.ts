// A watched folder: what is to be read of it, and what it says. Answered by a worker of its own, whatever is open.
import type { Listed } from '../contract/listed';
import type { WatchState } from '../contract/watched';
import type { WatchedRun } from '../contract/watched_runs';
import type { ReadBytes, WatchedFile, WatchRequest } from '../requests/watched';
import { started } from '../worker/opening';
import { beginLook, requestFile, takeRead, watched } from '../worker/watched';
import { parsed, plain, type VerbEntries } from './verb';

const load = async (): Promise<void> => {
  await started;
};

export const WATCHED = {
  /** Begins a look: these files are there now. Says what is to be read. */
  beginLook: { load, answer: (files: readonly WatchedFile[]) => plain(beginLook(files)) },
  /** Takes what was read. Says what else is to be, until nothing is. */
  takeRead: { load, answer: (pieces: readonly ReadBytes[]) => plain(takeRead(pieces)) },
  watchState: { load, answer: () => parsed<WatchState>(watched().state()) },
  /** The runs of a process, the newest first. */
  watchedRuns: {
    load,
    answer: (process: string, call: number | null, traced_only: boolean, most: number) =>
      parsed<Listed<WatchedRun>>(watched().runs(process, call ?? undefined, traced_only, most)),
  },
  /** The file of a new request. */
  requestFile: { load, answer: (request: WatchRequest) => plain(requestFile(request)) },
} satisfies VerbEntries;
