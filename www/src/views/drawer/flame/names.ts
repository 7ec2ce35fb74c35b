// The time of each name of the flame.
import { say } from '../../../base/messages';
import { frameLabel } from '../../../base/names';
import { formatCount } from '../../../base/format';
import { formatDuration, ns } from '../../../base/time';
import type { FlameAnswer, FlameMeasure, FlameName } from '../../../engine/protocol';
import { showName } from '../../../state/shown/flame';
import type { Context } from '../../../state/state';
import { nameCell } from '../../shared/parts';
import { barCell, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { el, setText } from '../../../base/dom';

export function namesTable(context: Context): { element: HTMLElement; show: (answer: FlameAnswer) => void } {
  let rows: readonly FlameName[] = [];
  const most = { self_ns: 1, gpu_self_ns: 1 };
  const selfColumn = (key: 'self_ns' | 'gpu_self_ns', title: string, about: string): Column<FlameName, string> => ({
    key,
    title,
    about,
    width: 132,
    numeric: true,
    has_bar: true,
    descending: true,
    value: (row) => row[key],
    cell: (row) => (row[key] === 0 ? '–' : barCell(row[key] / most[key], `fill-${row.category ?? 'range'}`, formatDuration(ns(row[key])))),
  });
  const columns: readonly Column<FlameName, string>[] = [
    {
      key: 'name',
      title: say('column-name'),
      width: 200,
      value: (row) => row.name,
      cell: (row) => nameCell(frameLabel(row.name)),
      whole: (row) => row.name,
    },
    selfColumn('self_ns', say('column-self'), say('flame-self-about')),
    durationColumn('total_ns', say('column-total'), (row) => row.total_ns, say('flame-total-about')),
    selfColumn('gpu_self_ns', say('column-gpu-self'), say('flame-gpu-self-about')),
    durationColumn('gpu_ns', say('column-gpu'), (row) => row.gpu_ns || null, say('flame-gpu-about')),
    countColumn('count', say('column-count'), (row) => row.count),
  ];
  const table = longTable<FlameName, string>(context, {
    counted: 'flame-names',
    many: say('name-names'),
    id: 'flame',
    columns,
    sorting: { key: 'self_ns', descending: true },
    yields: ['count', 'gpu_ns', 'gpu_self_ns', 'total_ns'],
    filter: say('filter-name'),
    page: async (query) => pageOf(rows, columns, query),
    go: (row) => showName(context, row.name),
    isChosen: (row) => row.name === context.state.flame.name,
  });
  const note = el('p', { class: 'note' });
  let measure: FlameMeasure | null = null;
  return {
    element: el('div', { class: 'flame-table' }, note, table.element),
    show: (answer) => {
      rows = answer.names;
      for (const key of ['self_ns', 'gpu_self_ns'] as const) most[key] = rows.reduce((largest, row) => Math.max(largest, row[key]), 1);
      note.hidden = rows.length === answer.name_count;
      setText(note, say('flame-first-names', { shown: formatCount(rows.length), count: answer.name_count }));
      if (measure !== answer.measure) table.sortBy(answer.measure === 'gpu' ? 'gpu_self_ns' : 'self_ns');
      measure = answer.measure;
      table.refresh();
    },
  };
}
