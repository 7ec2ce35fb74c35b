// The op types of the range or the step, by what they cost.
import { formatShare, plural } from '../../../base/format';
import type { OpTypeRow } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { barCell, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { el } from '../../../base/dom';
import { longTable, type LongTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';

type Key = 'op_type' | 'category' | 'count' | 'self_ns' | 'total_ns' | 'share_ppm' | 'mean_ns' | 'p50_ns' | 'p99_ns' | 'max_ns';

export interface TypesTable extends Pick<LongTable, 'element' | 'mark'> {
  update: (rows: OpTypeRow[]) => void;
}

/** `tools` stand before the filter. */
export function typesTable(context: Context, tools: HTMLElement[]): TypesTable {
  let rows: OpTypeRow[] = [];
  let most = 1;
  const columns: readonly Column<OpTypeRow, Key>[] = [
    {
      key: 'op_type',
      title: 'Op type',
      width: 162,
      value: (row) => row.op_type,
      cell: (row) => [el('span', { class: `dot dot-${row.category}`, title: row.category }), nameCell(row.op_type)],
      whole: (row) => `${row.op_type}: go to the longest`,
    },
    {
      ...countColumn<OpTypeRow, Key>('count', 'Ops', (row) => row.count, 'Ops that overlap the range'),
      width: 56,
    },
    durationColumn(
      'self_ns',
      'Self',
      (row) => row.self_ns,
      'Sum of their time inside the range, without what ops nested in them cover; ops run side by side, so this can exceed the range',
    ),
    durationColumn('total_ns', 'Total', (row) => row.total_ns, 'The same with what is nested in them, which counts twice then'),
    {
      key: 'share_ppm',
      title: 'Share',
      about: 'Of the summed own time of all ops',
      width: 104,
      numeric: true,
      descending: true,
      value: (row) => row.share_ppm,
      cell: (row) => barCell(row.share_ppm / most, `fill-${row.category}`, formatShare(row.share_ppm / 1e6)),
    },
    durationColumn('mean_ns', 'Mean', (row) => row.mean_ns, 'Of their whole lengths'),
    durationColumn('p50_ns', 'p50', (row) => row.p50_ns, 'Half of them are no longer than this'),
    durationColumn('p99_ns', 'p99', (row) => row.p99_ns, 'Of a hundred of them, 99 are no longer than this'),
    durationColumn('max_ns', 'Max', (row) => row.max_ns, 'The longest; a click on a row goes there'),
  ];
  const table = longTable<OpTypeRow, Key>(context, {
    one: 'op type',
    many: 'op types',
    id: 'type',
    columns,
    sorting: { key: 'self_ns', descending: true },
    filter: 'op type',
    tools,
    page: async (query) => pageOf(rows, columns, query),
    go: (row) => goToOp(context, row.longest),
    isChosen: (row) => row.longest === context.state.selection?.op,
    said: (total) => plural(total, 'op type'),
  });
  return {
    element: table.element,
    mark: table.mark,
    update(now) {
      rows = now;
      most = now.reduce((largest, row) => Math.max(largest, row.share_ppm), 1);
      table.refresh(true);
    },
  };
}
