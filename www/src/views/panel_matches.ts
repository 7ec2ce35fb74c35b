// The drawer's tab of search results: every op that matches, in order of start.
import { el, fill } from '../base/dom';
import { plural } from '../base/format';
import { placeLabel, tensorLabel } from '../base/names';
import { formatDuration, formatPoint } from '../base/time';
import type { OpDetails } from '../engine/protocol';
import { Changed } from '../state/frame';
import { latest } from '../state/latest';
import { goToMatch } from '../state/search';
import type { Context } from '../state/state';
import { covers, longBody, stretchFor, type Stretch } from './long_table';
import { CATEGORY_WORDS } from './words';

const TITLES = ['Name', 'Op type', 'Category', 'Device', 'Start', 'Length'] as const;
const NUMERIC_FROM = 4;

export function matchesPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let rows: OpDetails[] = [];
  let offset = 0;
  let shown: Uint32Array | null = null;
  const said = el('span', { class: 'note' });
  const table = el('table', { class: 'table' });
  const scroll = el(
    'div',
    { class: 'table-scroll', tabindex: 0, 'aria-label': 'Matches', role: 'region', onscroll: () => ask() },
    table,
  );
  const element = el('div', { class: 'table-panel' }, el('div', { class: 'table-tools' }, said), scroll);
  const head = TITLES.map((title, index) =>
    el('th', { scope: 'col', class: index >= NUMERIC_FROM ? 'numeric' : undefined }, title),
  );

  const draw = () => {
    const total = shown?.length ?? 0;
    fill(
      table,
      el('thead', {}, el('tr', {}, ...head)),
      longBody(
        rows.map((row, index) => rowElement(context, row, offset + index)),
        offset,
        total,
        TITLES.length,
      ),
    );
  };
  const request = latest(
    ({ ops, offset: from, limit }: Stretch & { ops: Uint32Array }) =>
      Promise.all([...ops.subarray(from, from + limit)].map((op) => engine.op(op))),
    (answer, query) => {
      if (query.ops !== shown) return;
      rows = answer;
      offset = query.offset;
      draw();
    },
  );
  const ask = () => {
    if (shown && !covers(scroll, offset, rows.length, shown.length)) request({ ops: shown, ...stretchFor(scroll) });
  };
  frame.onDom(Changed.trace | Changed.search | Changed.drawer | Changed.layout | Changed.selection, (changed) => {
    if (state.tab !== 'matches' || !state.drawer_open) return;
    const { result, query } = state.search;
    const ops = result?.ops ?? null;
    fill(
      said,
      result ? `${plural(result.count, 'op matches', 'ops match')} “${query}”` : 'Search to see here what matches',
    );
    if (ops !== shown) {
      shown = ops;
      rows = [];
      offset = 0;
      scroll.scrollTop = 0;
      draw();
    } else if (changed & Changed.selection) draw();
    ask();
  });
  return element;
}

function rowElement(context: Context, op: OpDetails, index: number): HTMLElement {
  const { state } = context;
  const selected = state.selection?.op === op.op;
  const name = op.transfer ? tensorLabel(op.transfer.tensor) : op.name;
  return el(
    'tr',
    { class: selected ? 'selected' : undefined, 'aria-current': selected ? 'true' : undefined },
    el(
      'th',
      { scope: 'row' },
      el(
        'button',
        { class: 'op-link', type: 'button', title: name, onclick: () => void goToMatch(context, index) },
        name,
      ),
    ),
    el('td', {}, op.op_type),
    el('td', {}, el('span', { class: `dot dot-${op.category}` }), CATEGORY_WORDS[op.category]),
    el('td', {}, placeLabel(state.trace?.summary.devices[op.device]?.name ?? '')),
    el('td', { class: 'numeric' }, formatPoint(op.start_ns, 1000, 1e6)),
    el('td', { class: 'numeric' }, formatDuration(op.end_ns - op.start_ns)),
  );
}
