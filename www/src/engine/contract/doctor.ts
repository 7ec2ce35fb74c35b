// Answers of the core: Doctor, Finding, DoctorFinding and FoundOp.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { OpId } from '../ids';
import type { Counted } from './words';

/** The object that `steplens doctor --json` prints. */
export interface Doctor {
  schema: string;
  /** The findings, the most important first. */
  findings: Finding[];
}

/** One finding. */
export interface Finding {
  /** Stable; documented in `docs/problems.md`. */
  code: string;
  /** Whether it is a note, and nothing is wrong. */
  is_note: boolean;
  /** The finding in a few words. */
  title: string;
  /** What was found, in one or two sentences. */
  sentence: string;
  /** The number of ops, or of what was left out. */
  count: number;
  /** What is counted: `op`, `task`, or, for what an analysis left out, `tensor`, `transfer`, `straggler` or `device`. */
  counted: Counted;
  /** The devices that the finding is about. */
  devices: string[];
  /** The first ops that the finding is about. */
  ops: FoundOp[];
  /** What a repair would do; null if there is none. */
  repair: string | null;
  /** Whether the view has the repair. */
  repaired: boolean;
}

/** Something wrong with what is shown. */
export interface DoctorFinding {
  /** Stable; documented in `docs/problems.md`. */
  code: string;
  /** In a few words. */
  title: string;
  /** What was found, in one or two sentences. */
  sentence: string;
  /** What a repair would do; left out if there is none. */
  repair?: string;
}

/** An op of a finding. */
export interface FoundOp {
  /** Its id in the view; null if the view does not have it: a repair left it out, or it is in another step. */
  op: OpId | null;
  name: string;
  /** The title on the page: the name, or for a transfer the tensor. */
  title: string;
  device: string;
  /** Relative to the origin of the opened trace, as it was recorded. */
  start_ns: Ns;
  end_ns: Ns;
}
