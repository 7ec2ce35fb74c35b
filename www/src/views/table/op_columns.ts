// The columns of tables whose rows are ops: what a search finds, and what the canvas shows.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { placeLabel } from '../../base/names';
import type { OpRow, OpSort } from '../../engine/protocol';
import type { Context } from '../../state/state';
import { durationColumn, pointColumn, type Column } from './columns';
import { typeName } from '../shared/op_type';
import { nameCell } from '../shared/parts';
import { CATEGORY_WORDS } from '../shared/words';

export function opColumns({ state }: Context): Column<OpRow, OpSort>[] {
  const device = (row: OpRow) => state.trace?.summary.devices[row.device]?.name ?? '';
  return [
    {
      key: 'name',
      title: say('column-name'),
      width: 300,
      value: (row) => row.name,
      cell: (row) => nameCell(row.name),
      whole: (row) => row.name,
    },
    {
      key: 'op_type',
      title: say('column-op-type'),
      width: 140,
      value: (row) => row.op_type,
      cell: (row) => typeName(row.op_type),
      whole: (row) => row.op_type,
    },
    {
      key: 'category',
      title: say('column-category'),
      width: 118,
      value: (row) => row.category,
      cell: (row) => [el('span', { class: `dot dot-${row.category}` }), CATEGORY_WORDS[row.category]],
    },
    {
      key: 'device',
      title: say('column-device'),
      width: 136,
      fits: true,
      value: device,
      cell: (row) => placeLabel(device(row)),
      whole: device,
    },
    pointColumn('start_ns', say('column-start'), (row) => row.start_ns, say('since-start')),
    durationColumn('length_ns', say('column-length'), (row) => row.end_ns - row.start_ns),
  ];
}
