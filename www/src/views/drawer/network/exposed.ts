// How much of its communication each device hid behind compute, and for which tensors it sat waiting.
import { el, fill, setText } from '../../../base/dom';
import { formatCount, plural } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { DeviceShare, Network, TensorRow } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { bytesColumn, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import { tensorName, type Section } from './section';

const EXPOSED = 'Only communication ran on the device: neither compute nor a copy';
const IDLE_BEFORE = 'Nothing ran, not even communication: what the device waited for was not sent yet. Not a part of what is exposed';

export function exposedSection(context: Context): Section {
  const { state, frame } = context;
  const rows = el('tbody', {});
  const numeric = (title: string, name: string) => el('th', { scope: 'col', class: 'numeric', title }, name);
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, 'Device'),
    numeric(EXPOSED, 'Exposed'),
    numeric(`${EXPOSED}; as a part of the whole window`, 'Of the step'),
    el('th', { scope: 'col', title: 'The tensor that most of its exposed communication is blamed on' }, 'Waited longest for'),
    numeric(IDLE_BEFORE, 'Idle before'),
    numeric(
      'Communication while a compute op ran, too. Together with what is exposed, and what ran beside a copy, it is all communication of the device, on its own clock',
      'Hidden',
    ),
  );
  const tracer = el('p', {
    class: 'note',
    title: 'Whole microseconds, over all devices together; its computation_time would include communication',
  });
  const shares = el('div', { class: 'network-shares' }, el('table', { class: 'plain-table' }, el('thead', {}, head), rows), tracer);
  let waits: TensorRow[] = [];
  let total = 0;
  const deviceName = (row: TensorRow): string => state.trace?.summary.devices[row.device ?? -1]?.name ?? '';
  const columns: readonly Column<TensorRow, string>[] = [
    { key: 'device', title: 'Device', width: 120, value: deviceName, cell: (row) => placeLabel(deviceName(row)), whole: deviceName },
    durationColumn(
      'waited_ns',
      'Waited',
      (row) => row.waited_ns,
      'Exposed communication that is blamed on it: the last to come before the device went on. Adds up to what is exposed',
    ),
    { key: 'tensor', title: 'For', width: 156, value: (row) => row.tensor, cell: (row) => nameCell(tensorName(row)), whole: tensorName },
    {
      key: 'source',
      title: 'From',
      width: 118,
      value: (row) => row.source ?? null,
      cell: (row) => (row.source ? placeLabel(row.source) : '–'),
      whole: (row) => row.source ?? '',
    },
    durationColumn(
      'delayed_ns',
      'Delayed',
      (row) => row.delayed_ns,
      'How much later its first consumers could start because of it, added up',
    ),
    bytesColumn('bytes', 'Size', (row) => row.bytes),
    countColumn('transfers', 'Times', (row) => row.transfers, 'Transfers that the device waited for'),
    durationColumn('idle_before_ns', 'Idle before', (row) => row.idle_before_ns, IDLE_BEFORE),
  ];
  const table = longTable<TensorRow, string>(context, {
    one: 'wait',
    many: 'waits',
    id: 'wait',
    columns,
    sorting: { key: 'waited_ns', descending: true },
    filter: 'device or tensor',
    page: async (query) => pageOf(waits, columns, query),
    go: (row) => goToOp(context, row.worst),
    isChosen: (row) => row.worst === state.selection?.op,
    said: (shown) =>
      total > waits.length ? `the ${formatCount(waits.length)} longest of ${plural(total, 'wait')}` : plural(shown, 'wait'),
  });
  frame.onDom(Changed.selection, () => table.mark());
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
              title: longest.source ? `${tensorName(longest)} from ${longest.source}` : tensorName(longest),
              onclick: () => goToOp(context, longest.worst),
            },
            tensorName(longest),
          ),
        longest && ` ${formatDuration(longest.waited_ns)}`,
      ),
      el('td', { class: 'numeric' }, formatDuration(idle_before_ns)),
      el('td', { class: 'numeric', title: `Of ${formatDuration(communication_ns)} of communication` }, formatDuration(hidden_ns)),
    );
  return {
    id: 'exposed',
    title: 'Exposed communication',
    said: ({ devices }) => {
      const most = devices.reduce<DeviceShare | null>((a, b) => (a && a.exposed_ns >= b.exposed_ns ? a : b), null);
      return most ? `most on ${placeLabel(most.name)}: ${formatDuration(most.exposed_ns)}, ${share(most.exposed_ns)} of the step` : '';
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
  `tensorflow-tracer says: step_time ${formatCount(step_time_us)} µs, communication_time ${formatCount(communication_time_us)} µs, communication_elapsed_time ${formatCount(communication_elapsed_time_us)} µs.`;
