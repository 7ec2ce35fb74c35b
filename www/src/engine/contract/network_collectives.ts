// Answers of the core: Collectives, Collective and Participant.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, OpId } from '../ids';
import type { Listed } from './listed';
import type { OpRef } from './op_ref';

/** All collectives. */
export interface Collectives extends Listed<Collective> {
  /** The number of collectives whose participants are known. */
  matched: number;
  /** The time in them, summed over all participants. */
  time_ns: Ns;
  /** How much of this time was waiting for the last participant; null if no participants are known. */
  waiting_ns: Ns | null;
  /** How many times each device arrived last, the largest number first: (device, times). */
  last: [number, number][];
  /** How many collectives have participants whose files are not open: how long these were waited for is not known. */
  without_files: number;
}

/** One collective. */
export interface Collective {
  /** The number of the step, as in `steplens steps`: from 1. */
  step: number;
  /** The op that arrived last, or the only known one. */
  op: OpRef;
  /** How much later it arrived than the one before it; null if the participants are not known. */
  last_by_ns: Ns | null;
  /** The time in it, summed over all participants. */
  time_ns: Ns;
  /** How much of this time was waiting for the last one. */
  waiting_ns: Ns | null;
  /** In order of device. */
  participants: Participant[];
  /** The number of participants; null if they are not known. */
  participant_count: number | null;
  /** The operation, as the framework calls it: `allreduce`; null if it is not recorded. */
  operation: string | null;
  /** The process group, by its name; null if it is not recorded. */
  group: string | null;
  /** The number of ranks in that group; null if it is not recorded. */
  group_size: number | null;
  /** How much each participant gives, of different amounts the largest; null if it is not recorded. */
  bytes: number | null;
  /** How many participants are of files that are not open. */
  without_files: number;
}

/** One device in a collective. */
export interface Participant {
  /** Its row in `devices` of the summary. */
  device: DeviceId;
  /** Its op. */
  op: OpId;
  /** How long it waited for the last one. */
  waiting_ns: Ns | null;
}
