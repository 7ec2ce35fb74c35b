// What is alive at the moment, the most bytes first: equal rows are one, with a count.
import { say } from '../../../base/messages';
import { el } from '../../../base/dom';
import { formatCount, plural } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import type { AliveBy, AliveRow, MemoryAlive } from '../../../engine/protocol';
import { chooseAliveBy, chooseLife } from '../../../state/shown/memory';
import type { Context } from '../../../state/state';
import { goToOp, nameCell } from '../../shared/parts';
import { bytesColumn, countColumn, pageOf, pointColumn, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';

const BY_WORDS: Record<AliveBy, string> = {
  tensor: 'tensors',
  'op-type': 'op types',
  scope: 'name scopes',
  shape: 'shapes',
  variable: 'variables',
};

type AliveKey = 'op' | 'bytes' | 'count' | 'shape' | 'allocated_ns' | 'freed_ns';

const nameOf = ({ op, output }: AliveRow): string => (op === '' ? '(none)' : `${placeLabel(op)}${(output ?? 0) > 0 ? `:${output}` : ''}`);
const shapeOf = ({ dtype, shape }: AliveRow): string => (dtype === null ? '' : `${dtype} ${shape ?? ''}`);

const COLUMNS: readonly Column<AliveRow, AliveKey>[] = [
  {
    key: 'op',
    title: 'Held for',
    width: 260,
    value: nameOf,
    cell: (row) => nameCell(nameOf(row)),
    whole: (row) => `${nameOf(row)}: why it is alive`,
  },
  bytesColumn('bytes', 'Bytes', (row) => row.bytes, 'Of all that are merged in the row'),
  countColumn('count', 'Count', (row) => row.count, 'How many allocations are merged in the row'),
  { key: 'shape', title: 'Shape', width: 130, value: shapeOf },
  pointColumn('allocated_ns', 'Since', (row) => row.allocated_ns, 'When the first of them was allocated; – if it was there before'),
  pointColumn('freed_ns', 'Until', (row) => row.freed_ns, 'When the last of them was freed; – if it never was'),
];

export function aliveTable(context: Context): { element: HTMLElement; show: (alive: MemoryAlive | null) => void } {
  const { state } = context;
  let shown: MemoryAlive | null = null;
  const by = el('select', { 'aria-label': 'What rows are merged by' });
  for (const [word, text] of Object.entries(BY_WORDS)) by.append(el('option', { value: word }, `By ${text}`));
  by.addEventListener('change', () => chooseAliveBy(context, by.value as AliveBy));
  const table = longTable<AliveRow, AliveKey>(context, {
    counted: 'rows',
    many: say('name-rows'),
    id: 'alive',
    columns: COLUMNS,
    sorting: { key: 'bytes', descending: true },
    filter: say('filter-name-or-shape'),
    tools: [by],
    page: async (query) => pageOf(shown?.rows ?? [], COLUMNS, query),
    go: (row) => {
      chooseLife(context, row.life, nameOf(row));
      goToOp(context, row.op_id);
    },
    isChosen: (row) => row.life === state.memory_life,
    said: (total) => {
      const rows = shown?.row_count ?? 0;
      const listed = shown?.rows.length ?? 0;
      return rows > listed ? `the ${formatCount(listed)} largest of ${plural(rows, 'row')}` : plural(total, 'row');
    },
  });
  table.element.classList.add('memory-table');
  return {
    element: table.element,
    show: (alive) => {
      by.value = state.memory_by;
      if (alive && alive !== shown) {
        shown = alive;
        table.refresh();
      }
      table.mark();
    },
  };
}
