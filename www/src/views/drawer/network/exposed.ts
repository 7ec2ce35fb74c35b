// How much of its communication each device hid behind compute, and for which tensors it sat waiting.
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { kernelLabel, placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { DeviceShare, Network, TensorRow } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { bytesColumn, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import { SENDER, tensorName, type Section } from './section';

const EXPOSED = say('exposed-about');
const IDLE_BEFORE = say('idle-before-about');

export function exposedSection(context: Context): Section {
  const { state, frame } = context;
  const rows = el('tbody', {});
  const numeric = (title: string, name: string) => el('th', { scope: 'col', class: 'numeric', title }, name);
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, say('column-device')),
    numeric(EXPOSED, say('column-exposed')),
    numeric(say('exposed-share-about'), say('column-of-step')),
    el('th', { scope: 'col', title: say('longest-wait-about') }, say('column-longest-wait')),
    numeric(IDLE_BEFORE, say('column-idle-before')),
    numeric(say('hidden-about'), say('column-hidden')),
  );
  const tracer = el('p', {
    class: 'note',
    title: say('tracer-about'),
  });
  const shares = el('div', { class: 'network-shares' }, el('table', { class: 'plain-table' }, el('thead', {}, head), rows), tracer);
  let waits: TensorRow[] = [];
  let total = 0;
  const deviceName = (row: TensorRow): string => state.trace?.summary.devices[row.device ?? -1]?.name ?? '';
  const columns: readonly Column<TensorRow, string>[] = [
    {
      key: 'device',
      title: say('column-device'),
      width: 120,
      fits: true,
      value: deviceName,
      cell: (row) => placeLabel(deviceName(row)),
      whole: deviceName,
    },
    durationColumn('waited_ns', say('column-waited'), (row) => row.waited_ns, say('waited-about')),
    {
      key: 'tensor',
      title: say('column-for'),
      width: 156,
      value: (row) => row.tensor,
      cell: (row) => nameCell(tensorName(row)),
      whole: tensorName,
    },
    SENDER,
    bytesColumn('bytes', say('column-size'), (row) => row.bytes),
    {
      ...durationColumn<TensorRow, string>('delayed_ns', say('column-delay'), (row) => row.delayed_ns, say('delay-sum-about')),
      width: 132,
    },
    countColumn('transfers', say('column-times'), (row) => row.transfers, say('times-about')),
    {
      ...durationColumn<TensorRow, string>('idle_before_ns', say('column-idle-before'), (row) => row.idle_before_ns, IDLE_BEFORE),
      width: 136,
    },
  ];
  const table = longTable<TensorRow, string>(context, {
    counted: 'waits',
    many: say('name-waits'),
    id: 'wait',
    columns,
    sorting: { key: 'waited_ns', descending: true },
    yields: ['idle_before_ns', 'transfers', 'delayed_ns', 'bytes'],
    filter: say('filter-device-or-tensor'),
    page: async (query) => pageOf(waits, columns, query),
    go: (row) => goToOp(context, row.worst),
    isChosen: (row) => row.worst === state.selection?.op,
    said: (shown) =>
      total > waits.length
        ? say('longest-of', { shown: formatCount(waits.length), all: say('waits', { count: total }) })
        : say('waits', { count: shown }),
  });
  frame.onDom([Changed.selection], () => table.mark());
  const share = (ns: number): string => `${((100 * ns) / (state.trace?.summary.span_ns || 1)).toFixed(1)} %`;
  const row = ({ name, communication_ns, hidden_ns, exposed_ns, idle_before_ns, longest }: DeviceShare) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', title: name }, placeLabel(name)),
      el('td', { class: 'numeric' }, formatDuration(exposed_ns)),
      el('td', { class: 'numeric' }, share(exposed_ns)),
      el(
        'td',
        {},
        longest &&
          el(
            'button',
            {
              class: 'op-link',
              type: 'button',
              title: longest.source ? say('tensor-from', { tensor: tensorName(longest), source: longest.source }) : tensorName(longest),
              onclick: () => goToOp(context, longest.worst),
            },
            kernelLabel(tensorName(longest)),
          ),
        longest && ` ${formatDuration(longest.waited_ns)}`,
      ),
      el('td', { class: 'numeric' }, formatDuration(idle_before_ns)),
      el(
        'td',
        { class: 'numeric', title: say('of-communication', { length: formatDuration(communication_ns) }) },
        formatDuration(hidden_ns),
      ),
    );
  return {
    id: 'exposed',
    title: say('exposed-title'),
    said: ({ devices }) => {
      const most = devices.reduce<DeviceShare | null>((a, b) => (a && a.exposed_ns >= b.exposed_ns ? a : b), null);
      return most
        ? say('exposed-answer', { device: placeLabel(most.name), length: formatDuration(most.exposed_ns), share: share(most.exposed_ns) })
        : '';
    },
    element: el('div', { class: 'network-tables' }, shares, table.element),
    show: (network) => {
      fill(rows, ...network.devices.map(row));
      // It knows RecvTensor alone: of other traces it would say something else, or that nothing communicates.
      tracer.hidden = network.tensorflow_tracer.communication_time_us === 0;
      setText(tracer, tracerWords(network));
      ({ rows: waits, total } = network.waits_by_tensor);
      table.refresh();
    },
  };
}

const tracerWords = ({ tensorflow_tracer: { step_time_us, communication_time_us, communication_elapsed_time_us } }: Network): string =>
  say('tracer-figures', {
    step: formatCount(step_time_us),
    communication: formatCount(communication_time_us),
    elapsed: formatCount(communication_elapsed_time_us),
  });
