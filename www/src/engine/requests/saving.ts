// The open trace as a file of another tool, which the core writes piece by piece; and pictures of it.
import type { Ns } from '../../base/time';
import type { SaveFormat } from '../contract/save_formats';
import type { DeviceId } from '../ids';
import type { OpenOptions } from './opening';
import type { RedactionRequest } from './redaction';

/** What Steplens opens again as it was. */
export const SESSION = 'session' satisfies SaveFormat;
/** What only the hosted page writes: its module is no part of a single file. */
export const ONLY_HOSTED = 'parquet' satisfies SaveFormat;

/** What a format could not hold: how much of each. */
export interface LeftOut {
  /** Transfers without an arrow: the receiver began before the producer. */
  arrows: number;
  /** Inputs whose maker began after its reader. */
  inputs: number;
  /** Ops whose category only their own format says. */
  categories: number;
  /** Kernels whose launching call is known. */
  calls: number;
  /** Devices that their own format says more of. */
  devices: number;
  /** Steps with a name, number or date. */
  runs: number;
  /** Allocations whose times were cut to whole microseconds. */
  cut: number;
}

/** A file that was begun. */
export interface Saving {
  /** Its number: of another one that was begun since nothing more comes. */
  saving: number;
  /** What its name ends in, behind a dot. */
  ending: string;
}

export interface SavedPiece {
  bytes: Uint8Array<ArrayBuffer>;
  /** Rows that are written, and of how many; both 0 where that is not known yet. */
  done: number;
  of: number;
  /** Null until the file is whole. */
  left_out: LeftOut | null;
}

/** What the page to share carries. */
export interface SharingRequest {
  /** The view as a URL fragment. */
  view: string;
  /** How the trace was opened; a redacted one does not say it. */
  options: Pick<OpenOptions, 'communication' | 'devices' | 'window_unix_ns'>;
  /** What is hidden; null where all is included. */
  redaction: RedactionRequest | null;
  /** Whether it is B, which the open trace is compared with. */
  of_b: boolean;
}

export interface Sharing {
  saving: number;
  /** What the first file in it is called. */
  file: string;
}

/** What a picture is of, by the words of the program's `--of`. */
export const PICTURES = ['view', 'split', 'waterfall', 'matrix', 'memory', 'critical-path'] as const;
export type PictureKind = (typeof PICTURES)[number];
export type PictureTheme = 'light' | 'dark';

export interface PictureQuery {
  kind: PictureKind;
  /** In pixels, 96 an inch. */
  width: number;
  theme: PictureTheme;
  /** All of the step where it is null. */
  window: { start: Ns; end: Ns } | null;
  /** From the top; all where it is empty. */
  devices: readonly DeviceId[];
  has_heading: boolean;
}
