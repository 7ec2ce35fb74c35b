// How much of its communication each device hid behind compute, and for how much of it the device sat waiting.
import { el, fill } from '../../base/dom';
import { placeLabel } from '../../base/names';
import { formatDuration } from '../../base/time';
import type { DeviceShare } from '../../engine/protocol';
import type { Context } from '../../state/state';
import type { Section } from './section';

const EXPOSED = 'Only communication ran on the device: neither compute nor a copy';

export function exposedSection(context: Context): Section {
  const rows = el('tbody', {});
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, 'Device'),
    el('th', { scope: 'col', class: 'numeric', title: 'The union of all communication on the device, over the whole window' }, 'Communication'),
    el('th', { scope: 'col', class: 'numeric', title: 'A compute op ran at the same time' }, 'Hidden'),
    el('th', { scope: 'col', class: 'numeric', title: EXPOSED }, 'Exposed'),
    el('th', { scope: 'col', class: 'numeric', title: `${EXPOSED}; as a part of the whole window` }, 'Of the step'),
  );
  const element = el('div', {}, el('table', { class: 'plain-table' }, el('thead', {}, head), rows));
  const share = (ns: number): string => `${((100 * ns) / (context.state.trace?.summary.span_ns || 1)).toFixed(1)} %`;
  const row = ({ name, communication_ns, hidden_ns, exposed_ns }: DeviceShare) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', title: name }, placeLabel(name)),
      ...[formatDuration(communication_ns), formatDuration(hidden_ns), formatDuration(exposed_ns), share(exposed_ns)].map((text) =>
        el('td', { class: 'numeric' }, text),
      ),
    );
  return {
    id: 'exposed',
    title: 'Exposed communication',
    said: ({ devices }) => {
      const most = devices.reduce<DeviceShare | null>((a, b) => (a && a.exposed_ns >= b.exposed_ns ? a : b), null);
      return most ? `most on ${placeLabel(most.name)}: ${formatDuration(most.exposed_ns)}, ${share(most.exposed_ns)} of the step` : '';
    },
    element,
    show: ({ devices }) => fill(rows, ...devices.map(row)),
  };
}
