// The figures of the selected range, or of the whole step: how each device's time divides, and what took most of it.
import { el, fill } from '../base/dom';
import { formatCount, formatShare } from '../base/format';
import { placeLabel } from '../base/names';
import { formatDuration, formatPoint, ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { DeviceId, OpTypeRow } from '../engine/protocol';
import { latest } from '../state/latest';
import { scope, scopeSplit, type Context } from '../state/state';
import { opLink } from './parts';
import { splitBar } from './split_bar';
import { PARTS } from './words';

const HINT = 'Click an op for its times, inputs, tensors and transfers; drag over the timeline to measure a range.';
const MOST_TYPES = 12;

export interface ScopeView {
  element: HTMLElement;
  update: () => void;
}

export function scopeView(context: Context): ScopeView {
  const head = el('div', { class: 'scope-head' });
  const splits = el('table', { class: 'table' });
  const types = el('table', { class: 'table' });
  const request = latest(
    ({ start, end }: Window) => context.engine.opTypes(start, end, null),
    (rows) => fill(types, ...typeRows(context, rows)),
  );
  return {
    element: el('div', { class: 'scope-view' }, head, el('div', { class: 'scope-tables' }, splits, types)),
    update() {
      const { state } = context;
      const { start, end } = scope(state);
      fill(head, ...headline(context));
      fill(splits, ...splitRows(context));
      // Half-open, and the last op may have no length: without a range every op counts.
      request({ start, end: state.range ? end : ns(end + 1) });
    },
  };
}

function headline({ state }: Context): (HTMLElement | string)[] {
  const { start, end } = scope(state);
  const resolution = Math.max((end - start) / 1000, 1);
  const where = state.range
    ? `from ${formatPoint(start, resolution)} to ${formatPoint(end, resolution)}`
    : 'from the first start to the last end';
  return [
    el('strong', {}, formatDuration(end - start)),
    where,
    el('span', { class: 'note' }, state.range ? 'The Ops tab follows this range.' : HINT),
  ];
}

function splitRows(context: Context): HTMLElement[] {
  const devices = context.state.trace?.summary.devices ?? [];
  const titles = ['Device', 'Split', ...PARTS.map(({ label }) => label), 'busy'];
  const head = titles.map((title, index) =>
    el('th', { scope: 'col', class: index > 1 ? 'numeric' : undefined, title: PARTS[index - 2]?.explanation }, title),
  );
  return [
    el('thead', {}, el('tr', {}, ...head)),
    el(
      'tbody',
      {},
      splitRow(context, 'All devices', null),
      ...devices.map(({ name }, id) => splitRow(context, placeLabel(name), id)),
    ),
  ];
}

function splitRow({ state }: Context, name: string, device: DeviceId | null): HTMLElement {
  const bar = splitBar(false);
  const split = scopeSplit(state, device);
  bar.update(split, name);
  const share = (part_ns: number) => (split && split.window_ns > 0 ? formatShare(part_ns / split.window_ns) : '–');
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, name),
    el('td', { class: 'bar-cell' }, bar.element),
    ...PARTS.map(({ of }) => el('td', { class: 'numeric' }, split ? share(of(split)) : '–')),
    el('td', { class: 'numeric' }, split ? formatDuration(split.busy_ns) : '–'),
  );
}

function typeRows(context: Context, rows: OpTypeRow[]): HTMLElement[] {
  const titles = ['Most time', 'ops', 'total', 'longest'];
  const head = titles.map((title, index) =>
    el('th', { scope: 'col', class: index > 0 ? 'numeric' : undefined }, title),
  );
  const line = (row: OpTypeRow) =>
    el(
      'tr',
      {},
      el(
        'th',
        { scope: 'row' },
        el('span', { class: `dot dot-${row.category}` }),
        opLink(context, row.longest, row.op_type, `Show the longest ${row.op_type}`),
      ),
      el('td', { class: 'numeric' }, formatCount(row.count)),
      el('td', { class: 'numeric' }, formatDuration(row.total_ns)),
      el('td', { class: 'numeric' }, formatDuration(row.max_ns)),
    );
  const longest_first = [...rows].sort((a, b) => b.total_ns - a.total_ns);
  return [el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...longest_first.slice(0, MOST_TYPES).map(line))];
}
