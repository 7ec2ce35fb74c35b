// What ops spent from ready to end, by device and by op type: wait, queue, set-up, kernel and tear-down.
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import type { PartsRow, SchedulingPage } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { goToOp, nameCell } from '../../shared/parts';
import { countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import type { Section } from './section';

/** The place of the queue among the parts. */
const QUEUE = 1;

const PARTS = [
  { key: 'wait', title: say('part-wait'), about: say('part-wait-about') },
  { key: 'queue', title: say('part-queue'), about: say('part-queue-about') },
  { key: 'set-up', title: say('part-set-up'), about: say('part-set-up-about') },
  { key: 'kernel', title: say('part-kernel'), about: say('part-kernel-about') },
  { key: 'tear-down', title: say('part-tear-down'), about: say('part-tear-down-about') },
] as const;

const columnsOf = (title: string, name: (row: PartsRow) => string): readonly Column<PartsRow, string>[] => [
  { key: 'key', title, width: 170, value: (row) => row.key, cell: (row) => nameCell(name(row)), whole: (row) => row.key },
  countColumn('ops', say('column-ops'), (row) => row.ops),
  ...PARTS.map(({ key, title, about }, place) =>
    durationColumn<PartsRow, string>(key, title, (row) => row.parts[place]?.sum_ns ?? null, about),
  ),
  { ...durationColumn<PartsRow, string>('queue_p50', say('queue-p50'), (row) => row.parts[QUEUE]?.p50_ns ?? null), width: 96 },
  { ...durationColumn<PartsRow, string>('queue_p99', say('queue-p99'), (row) => row.parts[QUEUE]?.p99_ns ?? null), width: 96 },
  {
    ...durationColumn<PartsRow, string>(
      'queue_most',
      say('queue-most'),
      (row) => row.parts[QUEUE]?.most_ns ?? null,
      say('queue-most-about'),
    ),
    width: 96,
  },
];

interface Words {
  title: string;
  column: string;
  id: string;
  counted: 'devices' | 'op-types';
  many: string;
  name: (row: PartsRow) => string;
  rows: (page: SchedulingPage) => PartsRow[];
}

function section(context: Context, { title, column, id, counted, many, name, rows: rowsOf }: Words): Section {
  let rows: PartsRow[] = [];
  const columns = columnsOf(column, name);
  const table = longTable<PartsRow, string>(context, {
    counted,
    many,
    id,
    columns,
    sorting: { key: 'queue', descending: true },
    filter: say('filter-name'),
    page: async (query) => pageOf(rows, columns, query),
    go: (row) => {
      // To the op that queued longest; where nothing says that, to the one whose kernel was longest.
      const op = row.parts[QUEUE]?.most_op ?? row.parts.find(({ most_op }) => most_op !== null)?.most_op;
      if (op !== null && op !== undefined) goToOp(context, op);
    },
    isChosen: (row) => row.parts[QUEUE]?.most_op === context.state.selection?.op,
  });
  return {
    title,
    element: table.element,
    has: (page) => rowsOf(page).length > 0,
    show: (page) => {
      rows = rowsOf(page);
      table.refresh();
    },
    mark: table.mark,
  };
}

export const byDevice = (context: Context): Section =>
  section(context, {
    title: say('path-by-device'),
    column: say('column-device'),
    id: 'parts-device',
    counted: 'devices',
    many: say('name-devices'),
    name: (row) => placeLabel(row.key),
    rows: ({ by_device }) => by_device,
  });

export const byOpType = (context: Context): Section =>
  section(context, {
    title: say('path-by-op-type'),
    column: say('column-op-type'),
    id: 'parts-type',
    counted: 'op-types',
    many: say('name-op-types'),
    name: (row) => row.key,
    rows: ({ by_op_type }) => by_op_type,
  });
