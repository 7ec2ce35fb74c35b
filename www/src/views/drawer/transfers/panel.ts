// The drawer's tab of transfers: every one between tasks, or those received within the selected range.
import { say } from '../../../base/messages';
import { placeLabel, tensorLabel } from '../../../base/names';
import { TRANSFER_COLUMNS } from '../../../engine/contract/transfer_columns';
import type { Transfer, TransferSort } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { scopeQuery } from '../../../state/scope';
import { filterTransfers, takeTransfersSort } from '../../../state/shown/tab';
import { bytesColumn, countColumn, durationColumn, pointColumn, rateColumn, type Column } from '../../table/columns';
import { clockNote } from '../../shared/clock_note';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import { isShown, type MakePanel } from '../tab_panel';

type Shown = Column<Transfer, TransferSort>;

const typeOf = (row: Transfer): string => [row.dtype, row.shape].filter(Boolean).join(' ');

/** How columns are shown where that is not as their values are measured. */
const OWN: Partial<Record<TransferSort, Partial<Shown>>> = {
  tensor: { width: 196, cell: (row) => nameCell(tensorLabel(row.tensor)) },
  variable: { width: 140 },
  kind: {
    width: 70,
    cell: (row) => (row.kind === null ? '–' : row.kind === 'gradient' ? say('kind-gradient') : say('kind-value')),
    whole: undefined,
  },
  source: { fits: true, cell: (row) => placeLabel(row.source) },
  destination: { fits: true, cell: (row) => placeLabel(row.destination) },
  bytes: { width: 74 },
  dtype: { width: 112, cell: (row) => typeOf(row) || '–', whole: typeOf },
  sent_ns: { width: 100 },
  received_ns: { width: 100 },
  unused_ns: { width: 152 },
  delayed_ns: { width: 132 },
  waited_ns: { width: 88 },
};

const FIGURES = { count: countColumn, moment: pointColumn, length: durationColumn, size: bytesColumn, rate: rateColumn };

/** A column of the list that the core makes its tables from. */
function columnOf(column: (typeof TRANSFER_COLUMNS)[number]): Shown {
  const title = say(column.title);
  const about = column.about === null ? undefined : say(column.about);
  if (column.measure !== 'text') {
    const { key, measure } = column;
    return { ...FIGURES[measure]<Transfer, TransferSort>(key, title, (row) => row[key], about), ...OWN[key] };
  }
  const { key } = column;
  const shown = { key, title, about, width: 120, value: (row: Transfer) => row[key] };
  return { ...shown, cell: (row) => row[key] ?? '–', whole: (row) => row[key] ?? '', ...OWN[key] };
}

const COLUMNS = TRANSFER_COLUMNS.map(columnOf);
const OF_TWO_CLOCKS = TRANSFER_COLUMNS.filter(({ clock }) => clock === 'both').map(({ key }) => [key, null] as const);

/** Without the times that run from one task's clock to another's. */
const withoutTwoClocks = (row: Transfer): Transfer => ({ ...row, waited_ns: null, ...Object.fromEntries(OF_TWO_CLOCKS) });

export const panel: MakePanel = (context, tab) => {
  const { state, frame, engine } = context;
  let filtered = '';
  const table = longTable<Transfer, TransferSort>(context, {
    counted: 'transfers',
    many: say('name-transfers'),
    id: 'transfer',
    columns: COLUMNS,
    sorting: { key: 'delayed_ns', descending: true },
    yields: ['dtype', 'kind', 'variable', 'bytes_per_second', 'unused_ns'],
    filter: say('filter-transfers'),
    onFilter: (text) => {
      filtered = text;
      filterTransfers(context, text);
    },
    above: clockNote(context),
    page: async ({ sort, ...query }) => {
      const page = await engine.ask('transfers', { sort: sort ?? 'delayed_ns', ...query, range: state.range && scopeQuery(state, null) });
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
  frame.onDom([Changed.trace, Changed.drawer, Changed.selection, Changed.scope], (changed) => {
    if (!state.trace) return;
    if (changed.hasAny(Changed.trace, Changed.scope)) stale = true;
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
