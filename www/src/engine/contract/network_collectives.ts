// Answers of the core: Collectives, Collective and Participant.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId } from '../ids';
import type { Listed } from './listed';
import type { OpRef } from './op_ref';

/** All of them. */
export interface Collectives extends Listed<Collective> {
  /** How many have participants that are known. */
  matched: number;
  /** Time in them, all participants together. */
  time_ns: Ns;
  /** Of it, waiting for the last participant; null if of none the participants are known. */
  waiting_ns: Ns | null;
  /** How often each device came last, the most often first: (device, times). */
  last: [number, number][];
}

/** One collective. */
export interface Collective {
  /** Which step, as `steplens steps` counts them: from 1. */
  step: number;
  /** Who came last, or the one that is known. */
  op: OpRef;
  /** How much later it came than the one before it; null where the participants are not known. */
  last_by_ns: Ns | null;
  /** Time in it, all participants together. */
  time_ns: Ns;
  /** Of it, waiting for the last one. */
  waiting_ns: Ns | null;
  /** In order of device. */
  participants: Participant[];
  /** How many they are; null where they are not known. */
  participant_count: number | null;
}

/** What one device did in it. */
export interface Participant {
  /** Its row in `devices` of the summary. */
  device: DeviceId;
  /** Its op. */
  op: OpId;
  /** How long it waited for the last one. */
  waiting_ns: Ns | null;
}
