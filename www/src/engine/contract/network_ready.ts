// Answers of the core: Ready, LastRank and NegotiatedTensor.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { Listed } from './listed';

/** Which rank was ready last. */
export interface Ready {
  /** The number of negotiations of two ranks or more. */
  negotiations: number;
  /** The ranks that were last, the one that the others waited for longest first. */
  ranks: LastRank[];
  /** The tensors, those that waited longest for their last rank first. */
  tensors: Listed<NegotiatedTensor>;
}

/** A rank that was ready last. */
export interface LastRank {
  /** Its number. */
  rank: number;
  /** How often it was last. */
  times: number;
  /** How much later than the rank before it, summed. */
  late_ns: Ns;
  /** The most of these. */
  most_ns: Ns;
}

/** A tensor that ranks negotiated. */
export interface NegotiatedTensor {
  /** Its name. */
  tensor: string;
  /** How often it was negotiated by two ranks or more. */
  negotiations: number;
  /** The rank that was last most often. */
  rank: number;
  /** How often that rank was last. */
  times: number;
  /** How much later the last rank was than the one before, summed. */
  late_ns: Ns;
}
