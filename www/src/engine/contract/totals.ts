// Answers of the core: Totals.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { ClockNote } from './clock_note';
import type { DeviceTotals, Split, TransferTotals } from './summary';

/** What a summary leaves out at first, because the data flow has to be followed for it. */
export interface Totals extends TransferTotals {
  /** All devices together: at every moment it computes if any device computes. Left out where their clocks differ. */
  any_device?: Split;
  /** Why times of its tasks cannot be compared; left out where they can. */
  clocks?: ClockNote;
  /** Whether marks have other names now than before. */
  retitled: boolean;
  /** By DeviceId. */
  devices: DeviceTotals[];
}
