// The left column: tasks with their devices, each with its share of compute, communication and idle time.
import { el, fill, icon, setText } from '../base/dom';
import { formatBytes, formatCount, formatShare, plural } from '../base/format';
import { deviceLabel, taskLabel } from '../base/names';
import { formatDuration } from '../base/time';
import type { DeviceId, DeviceSummary } from '../engine/protocol';
import { Changed } from '../state/frame';
import { hasLabels, type Section } from '../state/layout';
import { scopeSplit, type Context } from '../state/state';
import { foldTogether, toggleFold, toggleTall } from '../state/devices';
import { ICONS } from './icons';
import { splitBar } from './split_bar';

interface Row {
  element: HTMLElement;
  update: (changed: number) => void;
}

const STRUCTURE = Changed.trace;
const UPDATES = Changed.layout | Changed.scope | Changed.search;

/** Each section is as tall as its devices, so that its header sticks while they scroll by. */
export function tree(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', { class: 'tree' });
  let rows: Row[] = [];
  frame.onDom(STRUCTURE | UPDATES, (changed) => {
    if (changed & STRUCTURE) {
      rows = [];
      fill(element, ...state.layout.sections.map((section, index) => sectionElement(context, section, index, rows)));
    }
    for (const row of rows) row.update(changed | (changed & STRUCTURE ? UPDATES : 0));
  });
  return element;
}

function sectionElement(context: Context, section: Section, index: number, rows: Row[]): HTMLElement {
  const { state } = context;
  const devices = section.bands.map((band) => band.device);
  const name = section.task === null ? 'without a task' : taskLabel(section.task);
  const fold = el(
    'button',
    {
      class: 'task-fold',
      type: 'button',
      'aria-label': `Fold or unfold ${name}`,
      title: `${section.task ?? 'Devices whose names say no task'}\nClick to fold or unfold all of its devices`,
      onclick: () => foldTogether(context, devices),
    },
    icon(ICONS.chevron),
    el('span', { class: 'task-name' }, name),
  );
  const ops = devices.reduce((sum, device) => sum + (state.trace?.summary.devices[device]?.ops ?? 0), 0);
  const head = el(
    'div',
    { class: 'task' },
    el(
      'div',
      { class: 'task-side' },
      fold,
      el('span', { class: 'task-ops' }, devices.length > 1 ? `${devices.length} devices · ${plural(ops, 'op')}` : ''),
    ),
  );
  const element = el('section', { class: 'task-section', 'aria-label': name }, head);
  rows.push({
    element,
    update() {
      const now = state.layout.sections[index];
      element.style.height = `${now?.height ?? 0}px`;
      fold.setAttribute('aria-expanded', String(!devices.every((device) => state.rows.folded.has(device))));
    },
  });
  for (const device of devices) {
    const row = deviceRow(context, device, section.task === null ? null : index);
    rows.push(row);
    element.append(row.element);
  }
  return element;
}

function deviceRow(context: Context, id: DeviceId, section: number | null): Row {
  const { state } = context;
  const summary = state.trace?.summary.devices[id] as DeviceSummary;
  const label = deviceLabel(summary.name);
  const bar = splitBar(false);
  const fold = el(
    'button',
    {
      class: 'device-fold',
      type: 'button',
      title: summary.name,
      'aria-label': `${label}: fold or unfold`,
      onclick: () => toggleFold(context, id),
    },
    icon(ICONS.chevron),
    el('span', { class: 'device-name' }, label),
  );
  const tall = el(
    'button',
    {
      class: 'device-tall',
      type: 'button',
      title: 'Lanes tall enough for names',
      'aria-label': `${label}: tall lanes`,
      onclick: () => toggleTall(context, id),
    },
    icon(ICONS.tall),
  );
  const matches = el('span', { class: 'device-matches' });
  const figures = el('div', { class: 'device-figures' });
  const traffic = el('div', { class: 'device-figures' });
  const element = el(
    'div',
    { class: 'device' },
    el(
      'div',
      { class: 'device-line' },
      fold,
      matches,
      tall,
      el(
        'span',
        {
          class: 'device-ops',
          title: `${plural(summary.ops, 'op')} in ${plural(summary.lanes, 'lane')}: as many as ran at the same time`,
        },
        formatCount(summary.ops),
      ),
    ),
    bar.element,
    figures,
    traffic,
  );
  setText(traffic, trafficOf(summary));
  return {
    element,
    update(changed) {
      if (changed & Changed.layout) place(context, id, section, element, fold, tall);
      if (changed & (Changed.scope | Changed.trace)) {
        const split = scopeSplit(state, id);
        if (split) {
          bar.update(split, summary.name);
          const of = (part_ns: number) => formatShare(split.window_ns > 0 ? part_ns / split.window_ns : 0);
          setText(figures, `${of(split.compute_ns)} compute · ${of(split.exposed_communication_ns)} comm.`);
          figures.title = `busy ${formatDuration(split.busy_ns)} of ${formatDuration(split.window_ns)}\ncommunication ${formatDuration(split.communication_ns)}, of which ${formatDuration(split.overlapped_communication_ns)} is hidden behind compute`;
        }
      }
      if (changed & Changed.search) {
        const count = state.search.result?.per_device[id];
        setText(matches, count === undefined ? '' : formatCount(count));
        matches.classList.toggle('none', count === 0);
        matches.title = count === undefined ? '' : `${plural(count, 'match', 'matches')} on this device`;
      }
    },
  };
}

function trafficOf({ received_bytes, sent_bytes }: DeviceSummary): string {
  const parts = [
    received_bytes > 0 && `↓ ${formatBytes(received_bytes)}`,
    sent_bytes > 0 && `↑ ${formatBytes(sent_bytes)}`,
  ];
  return parts.filter((part) => part !== false).join('   ');
}

function place(
  { state }: Context,
  id: DeviceId,
  section: number | null,
  element: HTMLElement,
  fold: HTMLElement,
  tall: HTMLElement,
): void {
  const band = state.layout.by_device[id];
  if (!band) return;
  const holder = state.layout.sections.find((candidate) => candidate.bands.includes(band));
  element.style.top = `${band.y - (holder?.y ?? 0)}px`;
  element.style.height = `${band.height}px`;
  element.classList.toggle('folded', band.folded);
  element.classList.toggle('one-line', band.height < 40);
  element.classList.toggle('two-lines', band.height >= 40 && band.height < 58);
  element.classList.toggle('three-lines', band.height >= 58 && band.height < 76);
  element.classList.toggle('in-task', section !== null);
  fold.setAttribute('aria-expanded', String(!band.folded));
  tall.setAttribute('aria-pressed', String(state.rows.tall.has(id)));
  tall.hidden = band.folded || (hasLabels(band) && !state.rows.tall.has(id));
}
