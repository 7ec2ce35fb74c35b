// What was sent of each tensor, over all steps and destinations, and what that cost those who waited.
import { say } from '../../../base/messages';
import { formatCount } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import type { TensorRow } from '../../../engine/protocol';
import { showTransfers } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import { bytesColumn, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { nameCell } from '../../shared/parts';
import { SENDER, tensorName, type Section } from './section';

const COLUMNS: readonly Column<TensorRow, string>[] = [
  {
    key: 'tensor',
    title: say('column-tensor'),
    width: 320,
    value: (row) => row.tensor,
    cell: (row) => nameCell(tensorName(row)),
    whole: (row) => say('transfers-of-tensor', { tensor: tensorName(row) }),
  },
  durationColumn('waited_ns', say('column-waited'), (row) => row.waited_ns, say('waited-all-about')),
  SENDER,
  {
    ...durationColumn<TensorRow, string>(
      'idle_before_ns',
      say('column-idle-before'),
      (row) => row.idle_before_ns,
      say('idle-before-all-about'),
    ),
    width: 136,
  },
  { ...durationColumn<TensorRow, string>('delayed_ns', say('column-delay'), (row) => row.delayed_ns, say('delay-sum-about')), width: 132 },
  bytesColumn('bytes', say('column-size'), (row) => row.bytes, say('size-sum-about')),
  countColumn('transfers', say('tab-transfers'), (row) => row.transfers),
  countColumn('destinations', say('part-to'), (row) => row.destinations, say('destinations-about')),
];

export function tensorsSection(context: Context): Section {
  let rows: TensorRow[] = [];
  let total = 0;
  const table = longTable<TensorRow, string>(context, {
    counted: 'tensors',
    many: say('name-tensors'),
    id: 'tensor',
    columns: COLUMNS,
    sorting: { key: 'waited_ns', descending: true },
    filter: say('filter-name'),
    page: async (query) => pageOf(rows, COLUMNS, query),
    go: (row) => showTransfers(context, `${row.is_gradient ? 'gradient' : 'tensor'}=${row.tensor}`, 'waited_ns'),
    said: (shown) =>
      total > rows.length
        ? say('most-waited-of', { shown: formatCount(rows.length), all: say('tensors', { count: total }) })
        : say('tensors', { count: shown }),
  });
  return {
    id: 'tensors',
    title: say('column-tensors'),
    said: ({ tensors }) => {
      const [first] = tensors.rows;
      if (first?.waited_ns === 0) return say('tensors-not-waited');
      return first ? say('tensors-answer', { tensor: tensorName(first), length: formatDuration(first.waited_ns) }) : '';
    },
    element: table.element,
    show: ({ tensors }) => {
      ({ rows, total } = tensors);
      table.refresh();
    },
  };
}
