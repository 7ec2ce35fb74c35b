// The drawer's third tab: every transfer, as a table that fetches only the rows in sight.
import { el, fill } from '../base/dom';
import { formatBytes, formatRate, plural } from '../base/format';
import { placeLabel, tensorLabel } from '../base/names';
import { formatDuration, formatPoint } from '../base/time';
import type { Transfer, TransferSort, TransfersPage, TransfersQuery } from '../engine/protocol';
import { Changed } from '../state/frame';
import { latest } from '../state/latest';
import type { Context } from '../state/state';
import { covers, longBody, stretchFor } from './long_table';
import { opLink, tableHead, type Column, type Sorting } from './parts';

type Key = TransferSort | 'bytes_per_second';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'tensor', title: 'Tensor', numeric: false, descending: false },
  { key: 'source', title: 'From', numeric: false, descending: false },
  { key: 'destination', title: 'To', numeric: false, descending: false },
  { key: 'bytes', title: 'Size', numeric: true, descending: true },
  { key: 'sent_ns', title: 'Sent', numeric: true, descending: false, about: 'After the step’s first start' },
  { key: 'received_ns', title: 'Received', numeric: true, descending: false, about: 'After the step’s first start' },
  {
    key: 'queued_ns',
    title: 'Queued',
    numeric: true,
    descending: true,
    about: 'From the producer’s end to the sending',
  },
  { key: 'wire_ns', title: 'Wire', numeric: true, descending: true, about: 'From the sending to the receipt' },
  {
    key: 'unused_ns',
    title: 'Unused',
    numeric: true,
    descending: true,
    about: 'From the receipt until its first consumer was scheduled',
  },
  {
    key: 'delayed_ns',
    title: 'Delayed',
    numeric: true,
    descending: true,
    about: 'How much later its first consumer could start because of it',
  },
  {
    key: 'bytes_per_second',
    title: 'Speed',
    numeric: true,
    descending: true,
    about: 'Bytes divided by the time on the wire',
    sortable: false,
  },
];

export function transfersPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let sorting: Sorting<Key> = { key: 'delayed_ns', descending: true };
  let page: TransfersPage = { total: 0, rows: [] };
  let offset = 0;
  const said = el('span', { class: 'note' });
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter by tensor or device',
    'aria-label': 'Filter transfers',
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => restart(),
  });
  const table = el('table', { class: 'table fixed-rows' });
  const scroll = el(
    'div',
    { class: 'table-scroll', tabindex: 0, 'aria-label': 'Transfers', role: 'region', onscroll: () => ask() },
    table,
  );
  const element = el('div', { class: 'table-panel' }, el('div', { class: 'table-tools' }, filter, said), scroll);

  const draw = () => {
    const head = tableHead(COLUMNS, sorting, (chosen) => {
      sorting = chosen;
      restart();
    });
    const selected = state.selection?.op;
    fill(
      table,
      head,
      longBody(
        page.rows.map((row) => rowElement(context, row, row.op === selected)),
        offset,
        page.total,
        COLUMNS.length,
      ),
    );
    fill(said, page.total === 0 ? 'No transfers' : plural(page.total, 'transfer'), ' between tasks');
  };
  const request = latest(
    (query: TransfersQuery) => engine.transfers(query),
    (answer, query) => {
      page = answer;
      offset = query.offset;
      draw();
    },
  );
  const ask = (anew = false) => {
    if (!anew && covers(scroll, offset, page.rows.length, page.total)) return;
    if (sorting.key === 'bytes_per_second') return;
    request({ sort: sorting.key, descending: sorting.descending, filter: filter.value, ...stretchFor(scroll) });
  };
  const restart = () => {
    scroll.scrollTop = 0;
    ask(true);
  };
  let stale = true;
  frame.onDom(Changed.trace | Changed.drawer | Changed.layout | Changed.selection, (changed) => {
    if (!state.trace) return;
    if (changed & Changed.trace) {
      stale = true;
      filter.value = '';
    }
    if (state.tab !== 'transfers' || !state.drawer_open) return;
    if (stale) {
      stale = false;
      restart();
    } else if (changed & Changed.selection) draw();
    else ask();
  });
  return element;
}

function rowElement(context: Context, row: Transfer, selected: boolean): HTMLElement {
  const length = (value: number | null) => el('td', { class: 'numeric' }, value === null ? '–' : formatDuration(value));
  const point = (value: number | null) =>
    el('td', { class: 'numeric' }, value === null ? '–' : formatPoint(value, 1000, 1e6));
  return el(
    'tr',
    { class: selected ? 'selected' : undefined, 'aria-current': selected ? 'true' : undefined },
    el('th', { scope: 'row' }, opLink(context, row.op, tensorLabel(row.tensor), row.tensor)),
    el('td', { title: row.source }, placeLabel(row.source)),
    el('td', { title: row.destination }, placeLabel(row.destination)),
    el('td', { class: 'numeric' }, formatBytes(row.bytes)),
    point(row.sent_ns),
    point(row.received_ns),
    length(row.queued_ns),
    length(row.wire_ns),
    length(row.unused_ns),
    length(row.delayed_ns),
    el('td', { class: 'numeric' }, row.bytes_per_second === null ? '–' : formatRate(row.bytes_per_second)),
  );
}
