// The drawer's tab of transfers: every one between tasks, or those received within the selected range.
import { say } from '../../../base/messages';
import { placeLabel, tensorLabel } from '../../../base/names';
import type { Transfer, TransferSort } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { scopeQuery } from '../../../state/scope';
import { filterTransfers, takeTransfersSort } from '../../../state/shown/tab';
import { bytesColumn, durationColumn, pointColumn, rateColumn, type Column } from '../../table/columns';
import { clockNote } from '../../shared/clock_note';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import { isShown, type MakePanel } from '../tab_panel';

type Key = TransferSort | 'bytes_per_second' | 'kind' | 'dtype';

const typeOf = (row: Transfer): string => [row.dtype, row.shape].filter(Boolean).join(' ');

const SINCE_START = say('since-start');

const COLUMNS: readonly Column<Transfer, Key>[] = [
  {
    key: 'tensor',
    title: say('column-tensor'),
    width: 196,
    value: (row) => row.tensor,
    cell: (row) => nameCell(tensorLabel(row.tensor)),
    whole: (row) => row.tensor,
  },
  {
    key: 'variable',
    title: say('column-variable'),
    about: say('variable-about'),
    width: 140,
    value: (row) => row.variable,
    cell: (row) => row.variable ?? '–',
    whole: (row) => row.variable ?? '',
  },
  {
    key: 'kind',
    title: say('column-kind'),
    about: say('kind-about'),
    width: 70,
    sortable: false,
    value: (row) => row.kind,
    cell: (row) => (row.kind === null ? '–' : row.kind === 'gradient' ? say('kind-gradient') : say('kind-value')),
  },
  {
    key: 'source',
    title: say('part-from'),
    width: 120,
    fits: true,
    value: (row) => row.source,
    cell: (row) => placeLabel(row.source),
    whole: (row) => row.source,
  },
  {
    key: 'destination',
    title: say('part-to'),
    width: 120,
    fits: true,
    value: (row) => row.destination,
    cell: (row) => placeLabel(row.destination),
    whole: (row) => row.destination,
  },
  { ...bytesColumn<Transfer, Key>('bytes', say('column-size'), (row) => row.bytes), width: 74 },
  {
    key: 'dtype',
    title: say('column-type'),
    about: say('type-about'),
    width: 112,
    sortable: false,
    value: (row) => row.dtype,
    cell: (row) => typeOf(row) || '–',
    whole: typeOf,
  },
  { ...pointColumn<Transfer, Key>('sent_ns', say('column-sent'), (row) => row.sent_ns, SINCE_START), width: 100 },
  { ...pointColumn<Transfer, Key>('received_ns', say('column-received'), (row) => row.received_ns, SINCE_START), width: 100 },
  durationColumn('queued_ns', say('column-queued'), (row) => row.queued_ns, say('queued-about')),
  durationColumn('wire_ns', say('in-transit'), (row) => row.wire_ns, say('in-transit-about')),
  {
    ...durationColumn<Transfer, Key>('unused_ns', say('column-waited-after'), (row) => row.unused_ns, say('waited-after-about')),
    width: 152,
  },
  { ...durationColumn<Transfer, Key>('delayed_ns', say('column-delay'), (row) => row.delayed_ns, say('delay-one-about')), width: 132 },
  { ...durationColumn<Transfer, Key>('waited_ns', say('column-waited'), (row) => row.waited_ns, say('waited-one-about')), width: 88 },
  {
    ...rateColumn<Transfer, Key>('bytes_per_second', say('column-speed'), (row) => row.bytes_per_second, say('speed-about')),
    sortable: false,
  },
];

/** Without the times that run from one task's clock to another's. */
const withoutTwoClocks = (row: Transfer): Transfer => ({
  ...row,
  wire_ns: null,
  waited_ns: null,
  bytes_per_second: null,
});

export const panel: MakePanel = (context, tab) => {
  const { state, frame, engine } = context;
  let filtered = '';
  const table = longTable<Transfer, Key>(context, {
    counted: 'transfers',
    many: say('name-transfers'),
    id: 'transfer',
    columns: COLUMNS,
    sorting: { key: 'delayed_ns', descending: true },
    filter: say('filter-transfers'),
    onFilter: (text) => {
      filtered = text;
      filterTransfers(context, text);
    },
    above: clockNote(context),
    page: async ({ sort, ...query }) => {
      const page = await engine.ask('transfers', { sort: sort as TransferSort, ...query, range: state.range && scopeQuery(state, null) });
      return state.trace?.summary.clocks ? { ...page, rows: page.rows.map(withoutTwoClocks) } : page;
    },
    go: (row) => {
      const op = row.op ?? row.producer?.op ?? row.consumers[0]?.op;
      if (op !== undefined) goToOp(context, op);
    },
    isChosen: (row) => row.op !== null && row.op === state.selection?.op,
    placeOf: (op) => engine.ask('placeInTransfers', op),
    said: (total) => say(state.range ? 'transfers-in-range' : 'transfers-between-devices', { count: total }),
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
    const sort = takeTransfersSort(context);
    if (sort !== null) {
      table.sortBy(sort);
      stale = true;
    }
    if (!isShown(state, tab)) return;
    if (!stale) table.mark();
    else table.refresh();
    stale = false;
  });
  return table.element;
};
