// Answers of the core: Network.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { ClockNote } from './clocks_note';
import type { Listed } from './listed';
import type { Collectives } from './network_collectives';
import type { DeviceShare } from './network_devices';
import type { LinkRow, LinkTable, Peaks } from './network_links';
import type { OrderOfDevice } from './network_order';
import type { Ready } from './network_ready';
import type { Stragglers } from './network_stragglers';
import type { TracerFigures } from './network_tracer';
import type { TensorRow } from './network_waits';

/** The object that `steplens network --json` prints, and the page's tab Network shows. */
export interface Network {
  schema: string;
  /** The length of the step. */
  span_ns: Ns;
  /**
   * Why times of its tasks cannot be compared. If it is not null, everything that is based on such times is empty: links have
   * only counts and bytes; the order of parameters stays.
   */
  clocks?: ClockNote;
  /** For each device that communicates, how much of its communication it hid behind compute. */
  devices: DeviceShare[];
  /** The links between devices. */
  links: LinkTable;
  /** The links between tasks. */
  task_links: LinkTable;
  /** The copies of GPU streams, as links between GPUs and host. */
  copies: LinkRow[];
  /** The most that was in transit. */
  peaks: Peaks | null;
  /** Which task finished last among its peers, and why. */
  stragglers: Stragglers;
  /** Which transfers devices waited for. The page shows them only by tensor. */
  waits?: Listed<TensorRow>;
  /** What devices waited for, by device, tensor and sender. */
  waits_by_tensor: Listed<TensorRow>;
  /** How much was sent of each tensor. */
  tensors: Listed<TensorRow>;
  /** Ops that wait for all of their participants. */
  collectives: Collectives;
  /** Which rank was ready last when tensors were negotiated; left out where no timeline of Horovod says it. */
  ready?: Ready;
  /** The figures of tensorflow-tracer's `Timeline`. */
  tensorflow_tracer: TracerFigures;
  /** Whether parameters arrived in the order in which ops need them. */
  order: OrderOfDevice[];
}
