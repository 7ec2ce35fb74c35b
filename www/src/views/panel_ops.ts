// The drawer's second tab: op types of the step or the selected range, by what they cost.
import { el, fill } from '../base/dom';
import { formatCount, formatShare, plural } from '../base/format';
import { placeLabel } from '../base/names';
import { formatDuration, ns } from '../base/time';
import type { OpTypeRow } from '../engine/protocol';
import { Changed } from '../state/frame';
import { latest } from '../state/latest';
import { scope, type Context } from '../state/state';
import { opLink, tableHead, type Column, type Sorting } from './parts';
import { CATEGORY_WORDS } from './words';

type Key = 'op_type' | 'category' | 'count' | 'total_ns' | 'share_ppm' | 'mean_ns' | 'max_ns';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'op_type', title: 'Op type', numeric: false, descending: false },
  { key: 'category', title: 'Category', numeric: false, descending: false },
  { key: 'count', title: 'Ops', numeric: true, descending: true, about: 'Ops that start within the step or range' },
  {
    key: 'total_ns',
    title: 'Total',
    numeric: true,
    descending: true,
    about: 'Sum of their lengths; ops run side by side, so this can exceed the step',
  },
  { key: 'share_ppm', title: 'Share', numeric: true, descending: true, about: 'Of the summed time of all ops' },
  { key: 'mean_ns', title: 'Mean', numeric: true, descending: true },
  { key: 'max_ns', title: 'Longest', numeric: true, descending: true, about: 'Leads to the longest op of the type' },
];

/** A trace has hundreds of op types at most; more rows than this are a damaged one. */
const MOST_ROWS = 2000;

export function opsPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let rows: OpTypeRow[] = [];
  let device: number | null = null;
  let sorting: Sorting<Key> = { key: 'total_ns', descending: true };
  const table = el('table', { class: 'table' });
  const said = el('span', { class: 'note' });
  const choice = el('select', {
    'aria-label': 'Device',
    onchange: () => {
      device = choice.value === '' ? null : Number(choice.value);
      ask();
    },
  });
  const element = el(
    'div',
    { class: 'table-panel' },
    el('div', { class: 'table-tools' }, choice, said),
    el('div', { class: 'table-scroll' }, table),
  );

  const draw = () => {
    const { key, descending } = sorting;
    const sorted = [...rows].sort(
      (a, b) => compare(a[key], b[key]) * (descending ? -1 : 1) || compare(a.op_type, b.op_type),
    );
    const most = rows.reduce((largest, row) => Math.max(largest, row.share_ppm), 0);
    const head = tableHead(COLUMNS, sorting, (chosen) => {
      sorting = chosen;
      draw();
    });
    fill(table, head, el('tbody', {}, ...sorted.slice(0, MOST_ROWS).map((row) => rowElement(context, row, most))));
    const ops = rows.reduce((sum, row) => sum + row.count, 0);
    fill(
      said,
      `${plural(rows.length, 'op type')}, ${plural(ops, 'op')} ${state.range ? 'starting in the range' : 'in the step'}`,
    );
  };
  const request = latest(
    (query: { start: number; end: number; device: number | null }) =>
      engine.opTypes(ns(query.start), ns(query.end), query.device),
    (answer) => {
      rows = answer;
      draw();
    },
  );
  let stale = true;
  const ask = () => {
    stale = false;
    const { start, end } = scope(state);
    // The window is half-open, and the last op may have no length: without a range every op counts.
    request({ start, end: state.range ? end : end + 1, device });
  };
  frame.onDom(Changed.trace | Changed.scope | Changed.drawer, (changed) => {
    if (!state.trace) return;
    if (changed & Changed.trace) {
      device = null;
      fill(
        choice,
        el('option', { value: '' }, 'All devices'),
        ...state.trace.summary.devices.map(({ name }, id) => el('option', { value: String(id) }, placeLabel(name))),
      );
    }
    if (changed & (Changed.trace | Changed.scope)) stale = true;
    if (stale && state.tab === 'ops' && state.drawer_open) ask();
  });
  return element;
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

function rowElement(context: Context, row: OpTypeRow, most: number): HTMLElement {
  const bar = el('span', { class: `share-bar fill-${row.category}` });
  bar.style.width = `${most > 0 ? (row.share_ppm / most) * 100 : 0}%`;
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, opLink(context, row.longest, row.op_type, `Show the longest ${row.op_type}`)),
    el('td', {}, el('span', { class: `dot dot-${row.category}` }), CATEGORY_WORDS[row.category]),
    el('td', { class: 'numeric' }, formatCount(row.count)),
    el('td', { class: 'numeric' }, formatDuration(row.total_ns)),
    el(
      'td',
      { class: 'numeric share-cell' },
      el('span', { class: 'share-track' }, bar),
      el('span', { class: 'figure' }, formatShare(row.share_ppm / 1e6)),
    ),
    el('td', { class: 'numeric' }, formatDuration(row.mean_ns)),
    el('td', { class: 'numeric' }, formatDuration(row.max_ns)),
  );
}
