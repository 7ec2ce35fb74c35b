// What was sent within the range or the step, by source and destination.
import { asides, clauses } from '../../../base/joined';
import { say } from '../../../base/messages';
import { formatBytes } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import type { RangeSummary } from '../../../engine/protocol';
import { showTransfers } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import { bytesColumn, countColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { nameCell } from '../../shared/parts';

type Link = RangeSummary['links'][number];
type Key = keyof Link & string;

export interface LinksTable {
  element: HTMLElement;
  update: (summary: RangeSummary) => void;
}

export function linksTable(context: Context): LinksTable {
  let rows: Link[] = [];
  let all = '';
  let has_sizes = true;
  const columns: readonly Column<Link, Key>[] = [
    {
      key: 'source',
      title: say('part-from'),
      width: 102,
      fits: true,
      value: (row) => row.source,
      cell: (row) => nameCell(placeLabel(row.source)),
      whole: (row) => row.source,
    },
    {
      key: 'destination',
      title: say('part-to'),
      width: 102,
      fits: true,
      value: (row) => row.destination,
      cell: (row) => placeLabel(row.destination),
      whole: (row) => row.destination,
    },
    { ...countColumn<Link, Key>('count', say('column-count'), (row) => row.count, say('range-transfers-about')), width: 54 },
    { ...bytesColumn<Link, Key>('bytes', say('column-size'), (row) => (has_sizes ? row.bytes : null), say('size-sum-about')), width: 74 },
  ];
  const table = longTable<Link, Key>(context, {
    counted: 'links',
    many: say('name-links'),
    id: 'link',
    columns,
    sorting: { key: 'bytes', descending: true },
    yields: ['count'],
    filter: say('filter-devices'),
    filters_many: true,
    page: async (query) => pageOf(rows, columns, query),
    go: (row) => showTransfers(context, `${row.source} -> ${row.destination}`),
    said: () => all,
  });
  return {
    element: table.element,
    update(summary) {
      rows = summary.links;
      all = transferWords(summary);
      has_sizes = summary.transferred_bytes > 0 || summary.transfers === 0;
      table.refresh(true);
    },
  };
}

function transferWords({ transfers, transferred_bytes, untimed_transfers }: RangeSummary): string {
  const size = transferred_bytes > 0 || transfers === 0 ? formatBytes(transferred_bytes) : say('no-sizes');
  return asides([
    clauses([say('transfers', { count: transfers }), size]),
    untimed_transfers > 0 && say('untimed-others', { others: say('others', { count: untimed_transfers }) }),
  ]);
}
