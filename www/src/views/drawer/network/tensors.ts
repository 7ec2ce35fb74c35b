// What was sent of each tensor, over all steps and destinations, and what that cost those who waited.
import { formatCount, plural } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import type { TensorRow } from '../../../engine/protocol';
import { showTransfers } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import { bytesColumn, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { nameCell } from '../../shared/parts';
import { tensorName, type Section } from './section';

const COLUMNS: readonly Column<TensorRow, string>[] = [
  {
    key: 'tensor',
    title: 'Tensor',
    width: 320,
    value: (row) => row.tensor,
    cell: (row) => nameCell(tensorName(row)),
    whole: (row) => `${tensorName(row)}: its transfers`,
  },
  durationColumn('waited_ns', 'Waited', (row) => row.waited_ns, 'Exposed communication of all devices that is blamed on it'),
  durationColumn('idle_before_ns', 'Idle before', (row) => row.idle_before_ns, 'How long devices were idle because it was not sent yet'),
  durationColumn(
    'delayed_ns',
    'Delayed',
    (row) => row.delayed_ns,
    'How much later their first consumers could start because of its transfers, added up',
  ),
  bytesColumn('bytes', 'Size', (row) => row.bytes, 'Sum of what its transfers carried'),
  countColumn('transfers', 'Transfers', (row) => row.transfers),
  countColumn('destinations', 'To', (row) => row.destinations, 'To how many devices it went'),
];

export function tensorsSection(context: Context): Section {
  let rows: TensorRow[] = [];
  let total = 0;
  const table = longTable<TensorRow, string>(context, {
    one: 'tensor',
    many: 'tensors',
    id: 'tensor',
    columns: COLUMNS,
    sorting: { key: 'waited_ns', descending: true },
    filter: 'name',
    page: async (query) => pageOf(rows, COLUMNS, query),
    go: (row) => showTransfers(context, row.tensor),
    said: (shown) =>
      total > rows.length ? `the ${formatCount(rows.length)} most waited for of ${plural(total, 'tensor')}` : plural(shown, 'tensor'),
  });
  return {
    id: 'tensors',
    title: 'Tensors',
    said: ({ tensors }) => {
      const [first] = tensors.rows;
      return first ? `most waited for: ${tensorName(first)}, ${formatDuration(first.waited_ns)} in all` : '';
    },
    element: table.element,
    show: ({ tensors }) => {
      ({ rows, total } = tensors);
      table.refresh();
    },
  };
}
