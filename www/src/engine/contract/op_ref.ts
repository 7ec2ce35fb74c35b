// Answers of the core: OpRef.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { DeviceId, LaneId, OpId } from '../ids';

/** A reference to an op. */
export interface OpRef {
  op: OpId;
  name: string;
  device: DeviceId;
  lane: LaneId;
  start_ns: Ns;
  end_ns: Ns;
}
