// The op types of the range or the step, by what they cost.
import { say, type PlainId } from '../../../base/messages';
import { formatShare } from '../../../base/format';
import type { OpTypeRow, WorkFigures } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { mixesClocks } from '../../../state/scope';
import type { Context } from '../../../state/state';
import { barCell, countColumn, durationColumn, pageOf, workColumns, type Column } from '../../table/columns';
import { longTable, type LongTable } from '../../table/long_table';
import { listType, typeSearch } from '../../../state/shown/search';
import { typeCell, typeLook } from '../../shared/op_type';

const PLACES: Record<OpTypeRow['place'], PlainId> = { accelerator: 'place-accelerator', host: 'place-host' };

type Key =
  | keyof WorkFigures
  | 'op_type'
  | 'place'
  | 'category'
  | 'count'
  | 'self_ns'
  | 'any_ns'
  | 'total_ns'
  | 'share_ppm'
  | 'mean_ns'
  | 'p50_ns'
  | 'p99_ns'
  | 'max_ns';

export interface TypesTable extends Pick<LongTable, 'element' | 'mark'> {
  update: (rows: OpTypeRow[]) => void;
}

/** `tools` stand before the filter. */
export function typesTable(context: Context, tools: HTMLElement[]): TypesTable {
  let given: OpTypeRow[] = [];
  let rows: OpTypeRow[] = [];
  let most = 1;
  const columns: readonly Column<OpTypeRow, Key>[] = [
    {
      key: 'op_type',
      title: say('column-op-type'),
      width: 162,
      value: (row) => row.op_type,
      cell: (row) => typeCell(context, row),
      whole: (row) => say('list-ops-of-type', { type: row.op_type }),
    },
    {
      ...countColumn<OpTypeRow, Key>('count', say('column-ops'), (row) => row.count, say('range-ops-about')),
      width: 56,
    },
    durationColumn('self_ns', say('column-self'), (row) => row.self_ns, say('self-about')),
    durationColumn('total_ns', say('column-total'), (row) => row.total_ns, say('total-about')),
    {
      key: 'share_ppm',
      title: say('column-share'),
      about: say('share-about'),
      width: 104,
      numeric: true,
      has_bar: true,
      descending: true,
      value: (row) => row.share_ppm,
      cell: (row) => barCell(row.share_ppm / most, `fill-${typeLook(context.state, row)}`, formatShare(row.share_ppm / 1e6)),
    },
    durationColumn('any_ns', say('column-any'), (row) => row.any_ns, say('any-about')),
    durationColumn('mean_ns', say('column-mean'), (row) => row.mean_ns, say('mean-about')),
    durationColumn('p50_ns', 'p50', (row) => row.p50_ns, say('p50-about')),
    durationColumn('p99_ns', 'p99', (row) => row.p99_ns, say('p99-about')),
    durationColumn('max_ns', say('column-max'), (row) => row.max_ns, say('max-about')),
    ...workColumns<OpTypeRow, Key>(),
    {
      key: 'place',
      title: say('op-type-where'),
      about: say('op-type-where-about'),
      width: 86,
      value: (row) => say(PLACES[row.place]),
    },
  ];
  const table = longTable<OpTypeRow, Key>(context, {
    counted: 'op-types',
    many: say('name-op-types'),
    id: 'type',
    columns,
    sorting: { key: 'self_ns', descending: true },
    yields_to_names: ['flops', 'work_known_ppm', 'moved_bytes_per_second', 'flops_of_peak_ppm', 'flops_per_second'],
    yields: ['place', 'max_ns', 'p99_ns', 'p50_ns', 'any_ns', 'total_ns', 'mean_ns'],
    filter: say('filter-op-type'),
    tools,
    // What GPUs ran and what hosts did to have it run are two sums.
    page: async (query) => pageOf(rows, columns, query, undefined, (row) => row.place === 'host'),
    go: (row) => listType(context, row.op_type),
    isChosen: (row) => typeSearch(row.op_type) === context.state.search.query || row.op_type === context.state.selection?.details?.op_type,
    said: (total) => say('summed-over-ops', { rows: say('op-types', { count: total }) }),
  });
  // Rows have the colours of the lanes.
  let colors: unknown = null;
  context.frame.onDom([Changed.color], () => {
    if (context.state.colors === colors) return;
    colors = context.state.colors;
    show();
  });
  context.frame.onDom([Changed.totals], show);
  function show(): void {
    const differ = mixesClocks(context.state);
    // Rows that are the same objects would stay as they are.
    rows = given.map((row) => (differ ? { ...row, any_ns: null } : { ...row }));
    table.refresh(true);
  }
  return {
    element: table.element,
    mark: table.mark,
    update(now) {
      given = now;
      most = now.reduce((largest, row) => Math.max(largest, row.share_ppm), 1);
      show();
    },
  };
}
