// The drawer's tab of transfers: every one between tasks, or those received within the selected range.
import { placeLabel, tensorLabel } from '../../../base/names';
import { plural } from '../../../base/format';
import type { Transfer, TransferSort } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { scopeQuery } from '../../../state/scope';
import { filterTransfers } from '../../../state/shown/tab';
import { bytesColumn, durationColumn, pointColumn, rateColumn, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';

type Key = TransferSort | 'bytes_per_second' | 'kind' | 'dtype';

const typeOf = (row: Transfer): string => [row.dtype, row.shape].filter(Boolean).join(' ');

const SINCE_START = 'After the step’s first start';

const COLUMNS: readonly Column<Transfer, Key>[] = [
  {
    key: 'tensor',
    title: 'Tensor',
    width: 212,
    value: (row) => row.tensor,
    cell: (row) => nameCell(tensorLabel(row.tensor)),
    whole: (row) => row.tensor,
  },
  {
    key: 'variable',
    title: 'Variable',
    about: 'The variable of the model that the tensor is a value of, or a gradient for',
    width: 150,
    value: (row) => row.variable,
    cell: (row) => row.variable ?? '–',
    whole: (row) => row.variable ?? '',
  },
  {
    key: 'kind',
    title: 'Kind',
    about: 'A value of the variable, or a gradient for it',
    width: 70,
    sortable: false,
    value: (row) => row.kind,
    cell: (row) => row.kind ?? '–',
  },
  {
    key: 'source',
    title: 'From',
    width: 126,
    value: (row) => row.source,
    cell: (row) => placeLabel(row.source),
    whole: (row) => row.source,
  },
  {
    key: 'destination',
    title: 'To',
    width: 126,
    value: (row) => row.destination,
    cell: (row) => placeLabel(row.destination),
    whole: (row) => row.destination,
  },
  bytesColumn('bytes', 'Size', (row) => row.bytes),
  {
    key: 'dtype',
    title: 'Type',
    about: 'Type and shape of the tensor, as its producer recorded them',
    width: 118,
    sortable: false,
    value: (row) => row.dtype,
    cell: (row) => typeOf(row) || '–',
    whole: typeOf,
  },
  pointColumn('sent_ns', 'Sent', (row) => row.sent_ns, SINCE_START),
  pointColumn('received_ns', 'Received', (row) => row.received_ns, SINCE_START),
  durationColumn('queued_ns', 'Queued', (row) => row.queued_ns, 'From the producer’s end to the sending, by the sender’s clock'),
  durationColumn('wire_ns', 'Wire', (row) => row.wire_ns, 'From the sending by the sender’s clock to the receipt by the receiver’s'),
  durationColumn(
    'unused_ns',
    'Unused',
    (row) => row.unused_ns,
    'From the receipt until its first consumer was scheduled, by the receiver’s clock',
  ),
  durationColumn(
    'delayed_ns',
    'Delayed',
    (row) => row.delayed_ns,
    'How much later its first consumer could start because of it: receipt minus the latest of that one’s other inputs, by the receiver’s clock',
  ),
  {
    ...rateColumn<Transfer, Key>('bytes_per_second', 'Speed', (row) => row.bytes_per_second, 'Bytes divided by the time on the wire'),
    sortable: false,
  },
];

export function transfersPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let filtered = '';
  const table = longTable<Transfer, Key>(context, {
    one: 'transfer',
    many: 'transfers',
    id: 'transfer',
    columns: COLUMNS,
    sorting: { key: 'delayed_ns', descending: true },
    filter: 'tensor, variable or device, or A -> B',
    onFilter: (text) => {
      filtered = text;
      filterTransfers(context, text);
    },
    page: ({ sort, ...query }) => engine.transfers({ sort: sort as TransferSort, ...query, range: state.range && scopeQuery(state, null) }),
    go: (row) => {
      const op = row.op ?? row.producer?.op ?? row.consumers[0]?.op;
      if (op !== undefined) goToOp(context, op);
    },
    isChosen: (row) => row.op !== null && row.op === state.selection?.op,
    said: (total) => `${plural(total, 'transfer')} ${state.range ? 'received in the range' : 'between devices'}`,
  });
  let stale = true;
  frame.onDom(Changed.trace | Changed.drawer | Changed.selection | Changed.scope, (changed) => {
    if (!state.trace) return;
    if (changed & (Changed.trace | Changed.scope)) stale = true;
    if (state.transfers_filter !== filtered) {
      filtered = state.transfers_filter;
      table.setFilter(filtered);
      stale = true;
    }
    if (state.tab !== 'transfers' || !state.drawer_open) return;
    if (!stale) table.mark();
    else table.refresh();
    stale = false;
  });
  return table.element;
}
