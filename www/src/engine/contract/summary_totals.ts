// Answers of the core: Totals.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { ClockNote } from './clocks_note';
import type { DeviceTotals, Split, TransferTotals } from './summary';

/** What a summary leaves out at first, because it needs the data flow. */
export interface Totals extends TransferTotals {
  /** All devices together: compute means that any device computes. Left out if their clocks differ. */
  any_device?: Split;
  /** Why times of its tasks cannot be compared; left out if they can. */
  clocks?: ClockNote;
  /** Whether marks have other names now than before. */
  retitled: boolean;
  /** The transfers of each device, by DeviceId. */
  devices: DeviceTotals[];
}
