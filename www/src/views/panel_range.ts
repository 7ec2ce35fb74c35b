// The drawer's first tab: the figures of the selected range, or of the whole step while there is none.
import { el, setText } from '../base/dom';
import { placeLabel } from '../base/names';
import { formatDuration, formatPoint, ns } from '../base/time';
import type { DeviceId, OpTypeRow } from '../engine/protocol';
import { Changed } from '../state/frame';
import { latest } from '../state/latest';
import { setRange } from '../state/select';
import { scope, type Context } from '../state/state';
import { splitsTable } from './range_splits';
import { typesTable } from './range_types';

interface Question {
  start: number;
  end: number;
  device: DeviceId | null;
}

export function rangePanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  /** What the op types are about: one device, or all. */
  let device: DeviceId | null = null;
  const choose = (chosen: DeviceId | null) => {
    device = chosen === device ? null : chosen;
    splits.mark();
    ask();
  };
  const length = el('h2', { class: 'range-title' });
  const where = el('span', { class: 'note' });
  const clear = el(
    'button',
    { class: 'chip', type: 'button', title: 'Back to the whole step (Esc)', onclick: () => setRange(context, null) },
    'whole step',
  );
  const splits = splitsTable(context, [length, where, clear], () => device, choose);
  const of_device = el('h2', { class: 'range-title' });
  const all = el('button', { class: 'chip', type: 'button', onclick: () => choose(null) }, 'all devices');
  const types = typesTable(context, [of_device, all]);
  const element = el(
    'div',
    { class: 'range' },
    el('section', { class: 'range-part', 'aria-label': 'Split per device' }, splits.element),
    el('section', { class: 'range-part', 'aria-label': 'Op types' }, types.element),
  );

  const request = latest(
    ({ start, end, device: of }: Question) =>
      engine.opTypes({ start_ns: ns(start), end_ns: ns(end), device: of, lanes: null }),
    (rows: OpTypeRow[]) => types.update(rows),
  );
  const ask = () => {
    const { start, end } = scope(state);
    // The window is half-open, and the last op may have no length: without a range every op counts.
    request({ start, end: state.range ? end : end + 1, device });
    const name = device === null ? '' : (state.trace?.summary.devices[device]?.name ?? '');
    setText(of_device, device === null ? 'Op types' : `Op types of ${placeLabel(name)}`);
    all.hidden = device === null;
  };
  const sayScope = () => {
    const { start, end } = scope(state);
    const resolution = Math.max((end - start) / 1000, 1);
    setText(length, `${state.range ? 'Range' : 'Whole step'} ${formatDuration(end - start)}`);
    setText(where, state.range ? `${formatPoint(start, resolution)} to ${formatPoint(end, resolution)}` : '');
    clear.hidden = !state.range;
  };
  let stale = true;
  frame.onDom(Changed.trace | Changed.scope | Changed.drawer | Changed.selection, (changed) => {
    if (!state.trace) return;
    if (changed & Changed.trace) device = null;
    if (changed & (Changed.trace | Changed.scope)) stale = true;
    if (state.tab !== 'range' || !state.drawer_open) return;
    if (changed & Changed.selection) types.mark();
    if (!stale) return;
    stale = false;
    sayScope();
    splits.refresh(true);
    ask();
  });
  return element;
}
