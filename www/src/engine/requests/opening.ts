// What the page asks for when it opens files, and what it hears meanwhile.

export interface Progress {
  bytes: number;
  /** Sum of the files' sizes. */
  total_bytes: number;
  ops: number;
  /** `core`: of Steplens itself, which a first visit loads; `sample`: of the sample; then of the files. */
  phase: 'core' | 'sample' | 'reading' | 'arranging';
}

/** How far the core is with an answer that takes long. */
export interface Parts {
  done: number;
  of: number;
}

/** What went wrong, across the wasm edge. `code` is stable; `message` is one sentence for people. */
export interface EngineErrorBody {
  code: string;
  message: string;
}

export type Source = {
  name: string;
  /** What the user calls the process that it is of: `trainer0`. Devices that name no task of a cluster are then that process's. */
  process?: string;
} & ({ blob: Blob } | SampleAddress);

/** The sample lies in the page's own folder, packed. The worker gets it itself, whatever keeps the page busy. */
export interface SampleAddress {
  sample_url: string;
}

export interface OpenOptions {
  /** Regular expressions over op types and names that count as communication too, until the user changes it. */
  communication: string[];
  /** A regular expression over the names of devices: only those it matches are opened. Without it all are. */
  devices?: string | null;
  /** Only ops that overlap [start, end) are opened, in ns from 1970; texts because such times do not fit a double. */
  window_unix_ns?: [start: string, end: string] | null;
  /** How much memory the ops may take. Without it, what the core allows itself in a page. */
  memory_bytes?: number | null;
}
