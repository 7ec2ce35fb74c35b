// `steplens.summary/1`: files, devices and figures of what is shown.
import type { Ns } from '../../base/time';
import type { DeviceId } from './ids';
import type { Split } from './split';
import type { Apart, OpTime, View } from './steps';

export type DeviceKind = 'cpu' | 'gpu' | 'tpu' | 'stream' | 'stream-all' | 'memcpy' | 'other';

export interface DeviceSummary extends Split {
  name: string;
  /** `/job:worker/replica:0/task:1`, or null for devices without one (GPU streams). */
  task: string | null;
  kind: DeviceKind;
  ops: number;
  /** How many lanes its ops need; the ids of its lanes follow those of the device before it. */
  lanes: number;
  /** How many of them, from the top, are for ops; in the rest communication prevails. */
  op_lanes: number;
  /** Whether its lanes are grouped by thread or stream even when they are packed. */
  by_thread: boolean;
  /** Unset until the totals are known. */
  transfers?: number;
  received_bytes?: number;
  sent_bytes?: number;
  /** Whether a repair touched its figures, and with them those of all devices together. */
  repaired: boolean;
}

export interface Problem {
  code: string;
  count: number;
  /** One sentence: what is wrong, where it was seen first, what was done about it. */
  detail: string;
}

export interface FileSummary {
  name: string;
  format: string;
  bytes: number;
  ops: number;
  problems: Problem[];
  /** What is to be known of it though nothing is wrong; absent where there is nothing. */
  notes?: string[];
}

/** `steplens.summary/1`, the very object that `steplens summary --json` prints. */
export interface Summary {
  schema: 'steplens.summary/1';
  files: FileSummary[];
  /** What it is about, and how many steps there are by that rule. */
  view: Omit<View, 'op_time' | 'clocks'> & { steps: number; apart?: Apart; op_time?: OpTime; clocks?: string[] };
  /** The trace's origin in ns since the Unix epoch; a string because it does not fit a double. */
  origin_unix_ns: string;
  span_ns: Ns;
  ops: number;
  /** Unset until the totals are known. */
  transfers?: number;
  transferred_bytes?: number;
  /** The step bar: the mean of the accelerators, or of all devices where there are none. */
  step: Split;
  /** All devices together: at every moment it computes if any device computes, and so on. */
  any_device: Split;
  /** Every GPU, TPU or the like once, with the devices that tell what it did. */
  accelerators: ({ name: string; devices: DeviceId[] } & Split)[];
  devices: DeviceSummary[];
}

/** What a summary leaves out at first, because the data flow has to be followed for it. */
export interface Totals {
  transfers: number;
  transferred_bytes: number;
  /** Whether marks have other names now than before. */
  retitled: boolean;
  /** By DeviceId. */
  devices: { transfers: number; received_bytes: number; sent_bytes: number }[];
}
