// A watched folder, as the page lists and reads it for the core.

/** A file of the folder. */
export interface WatchedFile {
  /** Within the folder, with `/`. */
  path: string;
  bytes: number;
  /** When it was changed, in any unit: only another value means something. */
  changed: number;
}

/** Files below a folder that are called like traces. */
export interface TracesBelow {
  /** `changed` is in ms from 1970. */
  files: readonly WatchedFile[];
  /** The folders that may not be read. */
  unread: number;
}

/** What a list says of a trace: what it is at a glance. */
export interface Glance {
  ops: number;
  steps: number;
  /** A sentence; '' where nothing took any time. */
  verdict: string;
}

/** Bytes that the core wants of a file. */
export interface WantedBytes {
  path: string;
  from: number;
  /** To before here. */
  to: number;
}

/** What came of it: the bytes, or why there are none; null where the file is gone. */
export type ReadBytes = { path: string; from: number } & ({ bytes: Uint8Array<ArrayBuffer> } | { why: string | null });

export const REQUEST_KINDS = ['now', 'every', 'multiple', 'stop'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** What a program that trains is asked. */
export interface WatchRequest {
  kind: RequestKind;
  /** Of `every` and `multiple`. */
  n: number;
  /** How many runs; 0, with `every`, until it is stopped. */
  count: number;
  /** Who is asked; empty for every process. */
  processes: readonly string[];
}

/** After so many seconds nobody begins with a request. */
export const REQUEST_STANDS_S = 60;
