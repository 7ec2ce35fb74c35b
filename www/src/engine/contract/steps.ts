// Which steps the files hold, and which view of them is shown.
import type { Ns } from '../../base/time';
import type { PartFigure, Split } from './split';

/** What makes a step: what the files say, every file, every recording; or everything is one. */
export const STEP_RULES = ['content', 'file', 'part', 'together'] as const;

export type StepRule = (typeof STEP_RULES)[number];

/** What of the opened files is looked at. */
export interface View {
  rule: StepRule;
  /** A row of `StepList`, or null for all of them on one axis. */
  step: number | null;
  /** What is repaired, by the codes of findings. */
  repairs: readonly Repair[];
  op_time: OpTime;
  /** What the clocks of tasks are set by: `estimated`, and `TASK=NS` for those set by hand; nothing as recorded. */
  clocks: readonly string[];
}

/** How long ops last: as they were scheduled, while their kernels ran on a GPU, or from the one to the end of the other. */
export const OP_TIMES = ['schedule', 'gpu', 'all'] as const;

export type OpTime = (typeof OP_TIMES)[number];

/** Those findings of the doctor that can be repaired. */
export const REPAIRS = ['time-bases', 'far-ops', 'same-devices', 'repeated-ops'] as const;

export type Repair = (typeof REPAIRS)[number];

/** A step or run that the files hold. The split is that of all its devices together. */
export interface Step extends Split {
  file: string;
  /** What its container calls it, or ''. */
  name: string;
  number: number | null;
  /** In ns from 1970; a text because it does not fit a double. */
  recorded_unix_ns: string | null;
  /** What else its container says: what, and the value. */
  facts: [what: string, value: string][];
  /** How many messages, records or documents it is made of. */
  parts: number;
  ops: number;
  /** From the first start of all steps. */
  start_ns: Ns;
  transferred_bytes: number;
  /** Whether its length is unlike that of most others. */
  stands_out: boolean;
}

/** What a figure usually is, over the steps that have ops. */
export interface Usual {
  mean: number;
  deviation: number;
  min: number;
  p50: number;
  p99: number;
  max: number;
}

/** Why one step is shown first: the files list runs of their own, or more than half of the axis lies between steps. */
export type Apart = 'listed' | 'far';

/** `steplens.steps/1`: in order of time; those without ops come last. */
export interface StepList {
  schema: 'steplens.steps/1';
  rule: StepRule;
  apart?: Apart;
  steps: Step[];
  usual: Record<UsualFigure, Usual | null>;
}

export type UsualFigure = 'window_ns' | PartFigure | 'transferred_bytes' | 'ops';
