// `steplens.doctor/1`: what is wrong with the files that were opened.
import type { Ns } from '../../base/time';
import type { OpId } from './ids';

/** `steplens.doctor/1`: what is wrong with all that was opened, although it reads well. */
export interface Doctor {
  schema: 'steplens.doctor/1';
  /** What matters most comes first. */
  findings: Finding[];
}

export interface Finding {
  /** One of `REPAIRS` where there is a repair. */
  code: string;
  /** Whether it is only to be known, and nothing is wrong. */
  is_note: boolean;
  title: string;
  sentence: string;
  /** How many ops are concerned. */
  count: number;
  devices: string[];
  /** The first of the ops. */
  ops: FoundOp[];
  /** What a repair would do; null where there is none. */
  repair: string | null;
  repaired: boolean;
}

/** An op of a finding, as it was recorded. */
export interface FoundOp {
  /** Null where it is not in what is looked at: left out by a repair, or of another step. */
  op: OpId | null;
  name: string;
  device: string;
  /** From the first start of all that was opened. */
  start_ns: Ns;
  end_ns: Ns;
}
