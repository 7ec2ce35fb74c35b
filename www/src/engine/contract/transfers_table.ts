// Answers of the core: TransfersPage.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Transfer } from './tables_transfers';

export interface TransfersPage {
  total: number;
  rows: Transfer[];
}
