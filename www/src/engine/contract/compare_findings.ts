// Answers of the core: FindingBoth and ComparedFindings.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { FindingRule } from './words';

/** A finding of A, of B, or of both. */
export interface FindingBoth {
  /** The rule that found it. */
  rule: FindingRule;
  /** `new` if only B has it, `gone` if only A has it, `both`, or `unknown` if the other trace lacks what its rule needs. */
  change: string;
  /** What was found: in B, or in A where B has it no more. */
  what: string;
  /** How much shorter A's step would be. Null where A does not have it, or nothing was replayed. */
  saving_a_ns: Ns | null;
  /** How much shorter B's step would be. */
  saving_b_ns: Ns | null;
}

/** What would help in A and in B, for the page. */
export interface ComparedFindings {
  /** Those of B as they are ranked there, then those that only A has. */
  findings: FindingBoth[];
}
