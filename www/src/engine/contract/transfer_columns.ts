// The columns of the table of transfers, and the messages that are said of them.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

export const TRANSFER_COLUMNS = [
  { key: 'tensor', measure: 'text', title: 'column-tensor', about: null, clock: null },
  { key: 'variable', measure: 'text', title: 'column-variable', about: 'variable-about', clock: null },
  { key: 'kind', measure: 'text', title: 'column-kind', about: 'kind-about', clock: null },
  { key: 'source', measure: 'text', title: 'part-from', about: null, clock: null },
  { key: 'destination', measure: 'text', title: 'part-to', about: null, clock: null },
  { key: 'bytes', measure: 'size', title: 'column-size', about: null, clock: null },
  { key: 'dtype', measure: 'text', title: 'column-type', about: 'type-about', clock: null },
  { key: 'sent_ns', measure: 'moment', title: 'column-sent', about: 'since-start', clock: 'sender' },
  { key: 'received_ns', measure: 'moment', title: 'column-received', about: 'since-start', clock: 'receiver' },
  { key: 'queued_ns', measure: 'length', title: 'column-queued', about: 'queued-about', clock: 'sender' },
  { key: 'wire_ns', measure: 'length', title: 'in-transit', about: 'in-transit-about', clock: 'both' },
  { key: 'unused_ns', measure: 'length', title: 'column-waited-after', about: 'waited-after-about', clock: 'receiver' },
  { key: 'delayed_ns', measure: 'length', title: 'column-delay', about: 'delay-one-about', clock: 'receiver' },
  { key: 'waited_ns', measure: 'length', title: 'column-waited', about: 'waited-one-about', clock: 'receiver' },
  { key: 'bytes_per_second', measure: 'rate', title: 'column-speed', about: 'speed-about', clock: 'both' },
] as const;
