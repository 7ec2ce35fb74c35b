// Answers of the core: Network.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clock_note';
import type { Listed } from './listed';
import type { Collectives } from './network_collectives';
import type { DeviceShare } from './network_devices';
import type { LinkRow, LinkTable, Peaks } from './network_links';
import type { OrderOfDevice } from './network_order';
import type { Stragglers } from './network_stragglers';
import type { TracerFigures } from './network_tracer';
import type { TensorRow } from './network_waits';

/** The object that `steplens network --json` prints, and the page's tab Network shows. */
export interface Network {
  schema: string;
  /** How long the step is. */
  span_ns: Ns;
  /** Why times of its tasks cannot be compared. Then all below that rests on such times is empty: of links there are counts and bytes, and order stays. */
  clocks?: ClockNote;
  /** How much of its communication each device that communicates hid behind compute. */
  devices: DeviceShare[];
  /** The links between devices. */
  links: LinkTable;
  /** The links between tasks. */
  task_links: LinkTable;
  /** What streams of GPUs copied, as links between GPUs and host. */
  copies: LinkRow[];
  /** The most that was on the wire. */
  peaks: Peaks | null;
  /** Which task ended last among its peers, and why. */
  stragglers: Stragglers;
  /** Which transfers devices sat waiting for. The page shows them by tensor only. */
  waits?: Listed<TensorRow>;
  /** The same by device, tensor and sender. */
  waits_by_tensor: Listed<TensorRow>;
  /** What was sent of each tensor. */
  tensors: Listed<TensorRow>;
  /** Ops that wait for all of their participants. */
  collectives: Collectives;
  /** What tensorflow-tracer's `Timeline` says. */
  tensorflow_tracer: TracerFigures;
  /** Whether parameters arrived in the order in which ops need them. */
  order: OrderOfDevice[];
}
