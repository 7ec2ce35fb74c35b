// What is alive at the moment, the most bytes first: equal rows are one, with a count.
import { clauses } from '../../../base/joined';
import { el } from '../../../base/dom';
import { say, type PlainId } from '../../../base/messages';
import type { AliveBy, AliveRow, MemoryAlive } from '../../../engine/protocol';
import { chooseAliveBy, chooseLife } from '../../../state/shown/memory';
import type { Context } from '../../../state/state';
import { goToOp, nameCell } from '../../shared/parts';
import { bytesColumn, countColumn, pageOf, pointColumn, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';

const BY: Record<AliveBy, PlainId> = {
  tensor: 'alive-by-tensor',
  'op-type': 'alive-by-op-type',
  scope: 'alive-by-scope',
  shape: 'alive-by-shape',
  variable: 'alive-by-variable',
};

type AliveKey = 'op' | 'bytes' | 'count' | 'shape' | 'allocated_ns' | 'freed_ns';

const nameOf = ({ op, output }: AliveRow): string => (op === '' ? say('alive-unnamed') : `${op}${(output ?? 0) > 0 ? `:${output}` : ''}`);
const shapeOf = ({ dtype, shape }: AliveRow): string => (dtype === null ? '' : `${dtype} ${shape ?? ''}`);

const COLUMNS: readonly Column<AliveRow, AliveKey>[] = [
  {
    key: 'op',
    title: say('alive-held-for'),
    width: 200,
    value: nameOf,
    cell: (row) => nameCell(nameOf(row)),
    whole: (row) => say('alive-row-about', { tensor: nameOf(row) }),
  },
  bytesColumn('bytes', say('alive-bytes'), (row) => row.bytes, say('alive-bytes-about')),
  countColumn('count', say('alive-count'), (row) => row.count, say('alive-count-about')),
  { key: 'shape', title: say('alive-shape'), width: 150, value: shapeOf, whole: shapeOf },
  pointColumn('allocated_ns', say('alive-since'), (row) => row.allocated_ns, say('alive-since-about')),
  pointColumn('freed_ns', say('alive-until'), (row) => row.freed_ns, say('alive-until-about')),
];

export function aliveTable(context: Context): { element: HTMLElement; show: (alive: MemoryAlive | null) => void } {
  const { state } = context;
  let shown: MemoryAlive | null = null;
  const by = el('select', { 'aria-label': say('alive-merged-by') });
  for (const [word, text] of Object.entries(BY)) by.append(el('option', { value: word }, say(text)));
  by.addEventListener('change', () => chooseAliveBy(context, by.value as AliveBy));
  const table = longTable<AliveRow, AliveKey>(context, {
    counted: 'rows',
    many: say('name-rows'),
    id: 'alive',
    columns: COLUMNS,
    sorting: { key: 'bytes', descending: true },
    yields: ['count', 'allocated_ns', 'freed_ns'],
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
      const said =
        rows > listed ? say('alive-largest', { count: listed, rows: say('rows', { count: rows }) }) : say('rows', { count: total });
      return shown?.not_sought === undefined ? said : clauses([said, shown.not_sought]);
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
