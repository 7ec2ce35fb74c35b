// The table of transfers.
import type { TransferSort } from '../contract/words';
import type { RangeQuery } from './range';

export interface TransfersQuery {
  sort: TransferSort;
  descending: boolean;
  /** A part of the tensor, source or destination; with `->` in it, of the source and of the destination; empty for all. */
  filter: string;
  /** Only those whose receipt lies in it; null for all. */
  range: RangeQuery | null;
  offset: number;
  limit: number;
}
