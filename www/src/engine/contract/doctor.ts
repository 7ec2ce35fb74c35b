// Answers of the core: Doctor, Finding and FoundOp.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { Counted } from './words';

/** The object that `steplens doctor --json` prints. */
export interface Doctor {
  schema: string;
  /** What matters most comes first. */
  findings: Finding[];
}

/** One finding. */
export interface Finding {
  /** Stable; documented in `docs/problems.md`. */
  code: string;
  /** Whether it is only to be known, and nothing is wrong. */
  is_note: boolean;
  /** What it is, in a few words. */
  title: string;
  /** What was found, in a sentence or two. */
  sentence: string;
  /** How many ops are concerned, or of what was left out. */
  count: number;
  /** What they are: `op`, `task`, or of what an analysis left out `tensor`, `transfer`, `straggler` or `device`. */
  counted: Counted;
  /** The devices concerned. */
  devices: string[];
  /** The first of the ops. */
  ops: FoundOp[];
  /** What a repair would do; null where there is none. */
  repair: string | null;
  /** Whether it is repaired in the view. */
  repaired: boolean;
}

/** An op of a finding. */
export interface FoundOp {
  /** Its id in the view; null if it is not there: left out by a repair, or of another step. */
  op: OpId | null;
  name: string;
  /** What the page calls it: the name, or of a transfer the tensor. */
  title: string;
  device: string;
  /** From the origin of the opened trace, as it was recorded. */
  start_ns: Ns;
  end_ns: Ns;
}
