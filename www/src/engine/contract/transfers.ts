// Rows of `steplens.transfers/1`, and the table of them.
import type { Ns } from '../../base/time';
import type { OpId, OpRef } from './ids';
import type { RangeQuery } from './range';

/** How surely something is known: graphs say so, or names in labels; or nothing decides between several. */
export type Certainty = 'exact' | 'inferred' | 'ambiguous';

/** One row of `steplens.transfers/1`; times that nothing recorded are null. */
export interface Transfer {
  transfer: number;
  /** The op that recorded it, if one did. */
  op: OpId | null;
  tensor: string;
  source: string;
  destination: string;
  /** Which output of its producer it is. */
  output: number;
  /** The variable that it is a value of, or a gradient for. */
  variable: string | null;
  kind: 'value' | 'gradient' | null;
  bytes: number;
  dtype: string | null;
  shape: string | null;
  producer: OpRef | null;
  producer_end_ns: Ns | null;
  sent_ns: Ns | null;
  received_ns: Ns | null;
  queued_ns: Ns | null;
  wire_ns: Ns | null;
  unused_ns: Ns | null;
  delayed_ns: Ns | null;
  bytes_per_second: number | null;
  /** The first of them; `consumer_count` tells how many there are. */
  consumers: OpRef[];
  consumer_count: number;
  /** How producer and consumers were found: exactly, from the graphs; or inferred from labels. */
  joined: 'graph' | 'label' | null;
  /** How surely its producer is known; and of how many it is one. */
  certainty: Certainty;
  candidates: number | null;
  /** Why there is no producer, when there is none: one of the codes of docs. */
  unjoined_because: string | null;
}

export type TransferSort = 'bytes' | 'wire_ns' | 'queued_ns' | 'unused_ns' | 'delayed_ns' | 'sent_ns' | 'received_ns' | 'tensor' | 'source' | 'destination' | 'variable';

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

export interface TransfersPage {
  total: number;
  rows: Transfer[];
}
